#include "planner/record/plan_record.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/json/json_text.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

using Part = PlanRecord::Part;
using State = Part::State;

/// Reads the members of one frame; what is missing or of another type is damage.
class Members {
public:
    explicit Members(const Json& frame) : frame_(frame) {}

    std::string text(const char* name) const {
        const Json& member = at(name);
        if (!member.is_string()) wrong(name, "a text");
        return member.get<std::string>();
    }
    std::uint64_t number(const char* name) const {
        const Json& member = at(name);
        if (!member.is_number_unsigned()) wrong(name, "a number");
        return member.get<std::uint64_t>();
    }
    /// The labels of path; none where there is no path.
    std::vector<std::string> labels() const {
        std::vector<std::string> labels;
        if (!has("path")) return labels;
        for (const Json& one : at("path")) {
            if (!one.is_array() || one.size() != 2 || !one[1].is_string()) wrong("path", "a list of labels");
            labels.push_back(one[1].get<std::string>());
        }
        return labels;
    }
    std::size_t texts(const char* name) const {
        const Json& member = at(name);
        const auto is_text = [](const Json& one) { return one.is_string(); };
        if (!member.is_array() || !std::all_of(member.begin(), member.end(), is_text))
            wrong(name, "a list of texts");
        return member.size();
    }
    const Json& object(const char* name) const {
        const Json& member = at(name);
        if (!member.is_object()) wrong(name, "an object");
        return member;
    }
    bool has(const char* name) const { return frame_.contains(name); }
    [[noreturn]] void damaged(const std::string& problem) const {
        throw RecordDamage("a frame '" + text_in(frame_, "frame") + "' " + problem);
    }

private:
    const Json& at(const char* name) const {
        const auto found = frame_.find(name);
        if (found == frame_.end()) damaged("lacks '" + std::string(name) + "'");
        return *found;
    }
    [[noreturn]] void wrong(const char* name, const char* wanted) const {
        damaged("has a '" + std::string(name) + "' that is not " + wanted);
    }

    const Json& frame_;
};

/// Puts the runs of a chain together.
class ChainReader {
public:
    explicit ChainReader(PlanRecord& view) : view_(view) {}

    void add(const journal::RunRecord& run) {
        // A run that goes on does again what had failed.
        for (PlanRecord::Step& step : view_.steps)
            std::erase_if(step.parts, [](const auto& part) { return part.second.state == State::Failed; });
        numbers_.clear();
        first_step_ = view_.steps.size();
        incomplete_ = run.frames.incomplete;
        view_.incomplete = view_.incomplete || incomplete_;
        for (const Json& frame : run.frames.frames) add_frame(frame);
    }

private:
    void add_frame(const Json& frame) {
        static constexpr std::string_view others[] = {"run",   "plan",        "plan_end", "message",
                                                      "taken", "interrupted", "rerun",    "finish"};
        const Members members(frame);
        const std::string what = members.text("frame");
        if (what == "step")
            add_step(members);
        else if (what == "begin")
            begin(members);
        else if (what == "outcome")
            end(members);
        else if (std::find(std::begin(others), std::end(others), what) == std::end(others))
            members.damaged("is not known to this version of Volley");
    }

    void add_step(const Members& frame) {
        numbers_[frame.number("step")] = view_.steps.size();
        PlanRecord::Step step;
        step.key = frame.text("key");
        step.description = frame.text("description");
        step.targets = frame.texts("on");
        const std::vector<std::string> labels = frame.labels();
        step.ordered = !in_background(labels);
        step.place = place_in_plan(labels);
        view_.steps.push_back(std::move(step));
    }

    /// nullptr: it is none of the plan's own, or its step could not be recorded.
    PlanRecord::Step* step_of(const Members& frame) {
        const std::uint64_t number = frame.number("step");
        const auto found = numbers_.find(number);
        if (found != numbers_.end()) return &view_.steps[found->second];
        if (number != 0 && !incomplete_) frame.damaged("is of a step that was not recorded");
        return nullptr;
    }

    /// This run did what an earlier one had left open.
    void begin(const Members& frame) {
        PlanRecord::Step* step = step_of(frame);
        if (step == nullptr) return;
        const std::string id = frame.text("id");
        for (std::size_t i = 0; i < first_step_; ++i) {
            PlanRecord::Step& earlier = view_.steps[i];
            const auto part = earlier.parts.find(id);
            if (earlier.key != step->key || part == earlier.parts.end() || part->second.state == State::Done)
                continue;
            earlier.parts.erase(part);
            break;
        }
        step->parts[id] = {State::Begun, frame.text("target"), {}, false};
    }

    void end(const Members& frame) {
        PlanRecord::Step* step = step_of(frame);
        const std::string status = frame.text("status");
        if (step == nullptr || status == "not_started") return;
        const std::string id = frame.text("id");
        if (!step->parts.contains(id)) begin(frame);
        Part& part = step->parts[id];
        if (status == "failure") {
            part.state = State::Failed;
        } else if (status != "success") {
            frame.damaged("has an unknown 'status'");
        } else if (frame.has("part")) {
            part.state = State::NotStored;
        } else {
            part.value = std::make_shared<const Json>(frame.object("result"));
            part.state = State::Done;
        }
    }

    PlanRecord& view_;
    std::map<std::uint64_t, std::size_t> numbers_;  // of the run that is being read
    std::size_t first_step_ = 0;
    bool incomplete_ = false;
};

}  // namespace

std::string recorded_label(const PlanScope& scope, const KnownSecrets& secrets) {
    return scrub_utf8(secrets.masked(scope_label(scope)));
}

std::vector<std::string> place_in_plan(std::vector<std::string> labels) {
    // Says on which line the call is, which may have moved; the branches in it have labels of their own.
    std::erase_if(labels, [](const std::string& label) { return label.starts_with("parallelize"); });
    return labels;
}

bool in_background(const std::vector<std::string>& labels) {
    return std::any_of(labels.begin(), labels.end(),
                       [](const std::string& label) { return label.starts_with("background"); });
}

bool PlanRecord::Step::complete() const {
    const auto done = std::count_if(parts.begin(), parts.end(),
                                    [](const auto& part) { return part.second.state == State::Done; });
    return static_cast<std::size_t>(done) == targets;
}

std::vector<const PlanRecord::Step*> PlanRecord::unseen() const {
    std::vector<const Step*> found;
    for (const Step& step : steps) {
        const bool open = std::any_of(step.parts.begin(), step.parts.end(),
                                      [](const auto& part) { return part.second.state == State::Begun; });
        if (open) found.push_back(&step);
    }
    return found;
}

PlanRecord PlanRecord::of(const std::vector<journal::RunRecord>& chain) {
    PlanRecord view;
    ChainReader reader(view);
    for (const journal::RunRecord& run : chain) reader.add(run);
    if (chain.empty()) return view;
    const Json* head = chain.front().find("run");
    if (head == nullptr || !head->contains("plan")) throw RecordDamage("it does not say which plan it is of");
    view.plan = text_in((*head)["plan"], "name");
    view.parameters = text_in((*head)["plan"], "seal");
    return view;
}

}  // namespace volley::planner
