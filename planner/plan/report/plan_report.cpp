#include "planner/plan/report/plan_report.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "apply/report/apply_report.hpp"
#include "inventory/targets/uri.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

constexpr std::size_t report_kept_of_failure = 100 * 1024;
constexpr std::size_t report_kept_of_success = 8 * 1024;
constexpr std::size_t report_kept_of_all = 32 * 1024 * 1024;

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
    } else if (const Json value = result.value(); result.action() == "apply" && value.contains("report")) {
        text = apply_output(value);
    } else {
        text = value.dump(2, ' ', false, Json::error_handler_t::replace);
    }
    if (!result.ok() && result.error().contains("msg")) text = result.error().value("msg", "") + "\n" + text;
    return text;
}

}  // namespace

/// The begin and the end, which say most.
std::string PlanReport::kept(std::string output, bool ok) {
    std::size_t limit = ok ? report_kept_of_success : report_kept_of_failure;
    limit = std::min(limit, report_kept_of_all - output_kept_);
    if (output.size() > limit) {
        const std::size_t head = limit / 4;
        const std::size_t tail = limit - head;
        output = output.substr(0, head) + "\n[... " + std::to_string(output.size() - limit) +
                 " bytes are left out of this page ...]\n" + output.substr(output.size() - tail);
    }
    output_kept_ = std::min(report_kept_of_all, output_kept_ + output.size());
    return output;
}

void PlanReport::add(const TargetFinished& done) {
    ReportEntry entry;
    entry.target = inventory::without_password(done.result.target());
    entry.name = done.result.action();
    entry.end = now();
    entry.begin = std::max(0.0, entry.end - std::chrono::duration<double>(done.elapsed).count());
    entry.ok = done.result.ok();
    entry.output = kept(report_output(done.result), entry.ok);
    std::vector<Open>& open = open_[done.result.target()];
    const auto nearest = std::min_element(open.begin(), open.end(), [&entry](const Open& a, const Open& b) {
        return std::abs(a.begin - entry.begin) < std::abs(b.begin - entry.begin);
    });
    if (nearest != open.end()) {
        entry.name = std::move(nearest->name);
        open.erase(nearest);
    }
    entries_.push_back(std::move(entry));
}

void PlanReport::end_plan(const PlanFinished& done) {
    const double end = now();
    const double begin = std::max(0.0, end - std::chrono::duration<double>(done.elapsed).count());
    entries_.push_back({ReportEntry::What::Plan, {}, std::string(done.plan), begin, end, true, {}});
}

void PlanReport::add_message(std::string text) {
    const double when = now();
    entries_.push_back({ReportEntry::What::Message, {}, kept(std::move(text), true), when, when, true, {}});
}

void PlanReport::on_event(const Event& event) {
    if (const auto* started = std::get_if<TargetStarted>(&event)) {
        open_[std::string(started->target)].push_back({std::string(started->description), now()});
    } else if (const auto* done = std::get_if<TargetFinished>(&event)) {
        add(*done);
    } else if (const auto* plan = std::get_if<PlanFinished>(&event)) {
        end_plan(*plan);
    } else if (const auto* message = std::get_if<Message>(&event)) {
        add_message(std::string(message->text));
    } else if (const auto* taken = std::get_if<ActionTaken>(&event)) {
        std::vector<std::string> names;
        for (const inventory::Target& target : taken->on) names.push_back(target.safe_name());
        add_message("Taken from the record: " + std::string(taken->description) + " on " + join(names, ", "));
    }
}

std::string PlanReport::page(const std::string& title, bool ok, const std::string& error) const {
    ReportHead head;
    head.title = title;
    head.ok = ok;
    head.error = error;
    head.seconds = now();
    head.date = date_;
    std::vector<ReportEntry> sorted = entries_;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const ReportEntry& a, const ReportEntry& b) { return a.begin < b.begin; });
    return report_page(head, sorted);
}

void PlanReport::write(const std::filesystem::path& file, const std::string& title, bool ok,
                       const std::string& error) const {
    write_file_atomically(file, page(title, ok, error),
                          0600);  // outputs of targets are nobody else's business
}

}  // namespace volley::planner
