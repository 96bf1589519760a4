#include "planner/plan/report/plan_report.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "apply/report/apply_report.hpp"
#include "planner/record/recorded_run.hpp"
#include "support/json/json_text.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

constexpr std::size_t report_kept_of_failure = 100 * 1024;
constexpr std::size_t report_kept_of_success = 8 * 1024;
constexpr std::size_t report_kept_of_all = 32 * 1024 * 1024;
constexpr int first_signal_status = 128;

/// What an apply did: the lines of its log, then the counts.
std::string apply_output(const Json& value) {
    std::string text;
    for (const ReportLog& log : report_logs(value["report"])) text += report_log_text(log) + "\n";
    return text + value.value("_output", "");
}

/// What is worth reading of a result: both streams of a command, the log of an apply, the value of the rest;
/// an error first.
std::string report_output(const Result& result) {
    std::string text;
    if (const transports::Output* output = result.output()) {
        text = output->captured.merged();
    } else if (const auto value = result.shared_value();
               result.action() == "apply" && value->contains("report")) {
        text = apply_output(*value);
    } else {
        text = value->dump(2, ' ', false, Json::error_handler_t::replace);
    }
    if (!result.ok() && result.error().contains("msg")) text = result.error().value("msg", "") + "\n" + text;
    return text;
}

/// Status and error of a run's end.
void add_end(ReportHead& head, const journal::RunRecord& run) {
    const Json* finish = run.find("finish");
    if (finish == nullptr) {
        head.error = run.running ? "The run is still running" : "The run ended without recording its end";
        return;
    }
    head.ok = finish->value("status", 1) == 0;
    head.error = text_in(*finish, "error");
    if (head.error.empty() && finish->value("status", 1) > first_signal_status) head.error = "Interrupted";
}

/// "Plan site::deploy", "Command uptime".
std::string title_of(const Json& head) {
    std::string title = text_in(head, "verb");
    if (title.ends_with(" run")) title.resize(title.size() - 4);
    if (!title.empty()) title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
    bool code = false;
    for (const Json& option : head.value("options", Json::array()))
        code = code || (option.is_array() && !option.empty() && option[0] == "execute");
    const std::string object = text_in(head, "object");
    return code || object.empty() ? title : title + " " + object;
}

/// Makes entries of frames, in the order in which they began.
class EntryMaker {
public:
    explicit EntryMaker(const journal::RunRecord& run) {
        if (run.frames.frames.empty()) return;
        first_ = time_of(run.frames.frames.front());
        for (const Json& frame : run.frames.frames) add(frame);
        for (const std::size_t each : open_plans_) entries_[each].end = last_;
        for (const auto& [part, each] : open_) {
            entries_[each].ok = false;
            entries_[each].output = "Started, outcome not recorded";
        }
    }
    double seconds() const { return last_; }
    std::vector<ReportEntry> take() { return std::move(entries_); }

private:
    using What = ReportEntry::What;

    static std::int64_t time_of(const Json& frame) { return frame.value("at", std::int64_t{0}); }

    void add(const Json& frame) {
        last_ = std::max(last_, static_cast<double>(time_of(frame) - first_) / 1000);
        const std::string what = text_in(frame, "frame");
        if (what == "step") {
            steps_[number_of(frame)] = &frame;
        } else if (what == "begin") {
            open_[{number_of(frame), text_in(frame, "target")}] = begin_part(frame);
        } else if (what == "outcome") {
            end_part(frame);
        } else if (what == "plan") {
            open_plans_.push_back(entries_.size());
            entries_.push_back({What::Plan, {}, text_in(frame, "name"), last_, last_, true, {}});
        } else if (what == "plan_end") {
            end_plan(text_in(frame, "name"));
        } else if (what == "message") {
            add_message(text_in(frame, "text"));
        } else if (what == "taken") {
            add_message("Taken from the record: " + text_in(frame, "description") + " on " +
                        join(texts_in(frame, "on"), ", "));
        }
    }

    static std::uint64_t number_of(const Json& frame) { return frame.value("step", std::uint64_t{0}); }

    const Json& step_of(const Json& frame) const {
        static const Json none = Json::object();
        const auto found = steps_.find(number_of(frame));
        return found == steps_.end() ? none : *found->second;
    }

    std::size_t begin_part(const Json& frame) {
        entries_.push_back({What::Step,
                            text_in(frame, "target"),
                            text_in(step_of(frame), "description"),
                            last_,
                            last_,
                            true,
                            {}});
        return entries_.size() - 1;
    }

    void end_part(const Json& frame) {
        const auto begun = open_.extract({number_of(frame), text_in(frame, "target")});
        ReportEntry& entry = entries_[begun.empty() ? begin_part(frame) : begun.mapped()];
        entry.end = last_;
        entry.ok = text_in(frame, "status") == "success";
        if (const auto result = recorded_outcome(frame, step_of(frame)))
            entry.output = shortened(report_output(*result), entry.ok);
    }

    void end_plan(const std::string& name) {
        const auto begun = std::find_if(open_plans_.rbegin(), open_plans_.rend(),
                                        [&](std::size_t each) { return entries_[each].name == name; });
        if (begun == open_plans_.rend()) return;
        entries_[*begun].end = last_;
        open_plans_.erase(std::next(begun).base());
    }

    void add_message(std::string text) {
        entries_.push_back({What::Message, {}, shortened(std::move(text), true), last_, last_, true, {}});
    }

    /// The begin and the end, which say most.
    std::string shortened(std::string text, bool ok) {
        const std::size_t limit =
            std::min(ok ? report_kept_of_success : report_kept_of_failure, report_kept_of_all - kept_);
        if (text.size() > limit) {
            const std::size_t head = limit / 4;
            const std::size_t tail = limit - head;
            text = text.substr(0, head) + "\n[... " + std::to_string(text.size() - limit) +
                   " bytes are left out of this page ...]\n" + text.substr(text.size() - tail);
        }
        kept_ = std::min(report_kept_of_all, kept_ + text.size());
        return text;
    }

    std::int64_t first_ = 0;
    double last_ = 0;
    std::vector<ReportEntry> entries_;
    std::map<std::uint64_t, const Json*> steps_;
    std::map<std::pair<std::uint64_t, std::string>, std::size_t> open_;
    std::vector<std::size_t> open_plans_;
    std::size_t kept_ = 0;
};

}  // namespace

std::string report_of_run(const journal::RunRecord& run) {
    static const Json none = Json::object();
    const Json* found = run.find("run");
    const Json& begun = found != nullptr ? *found : none;
    EntryMaker maker(run);
    ReportHead head;
    head.title = title_of(begun);
    head.ok = false;
    head.seconds = maker.seconds();
    head.date += std::chrono::milliseconds(begun.value("at", std::int64_t{0}));
    add_end(head, run);
    return report_page(head, maker.take());
}

}  // namespace volley::planner
