#include "planner/record/recorded_run.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "planner/record/stored_result.hpp"
#include "support/json/json_text.hpp"

namespace volley::planner {
namespace {

std::uint64_t number_in(const Json& frame, const char* name) {
    const auto found = frame.find(name);
    return found != frame.end() && found->is_number_integer() ? found->get<std::uint64_t>() : 0;
}

std::vector<std::pair<std::uint64_t, std::string>> path_in(const Json& frame) {
    std::vector<std::pair<std::uint64_t, std::string>> path;
    for (const Json& one : frame.value("path", Json::array())) {
        if (one.is_array() && one.size() == 2 && one[0].is_number_unsigned() && one[1].is_string())
            path.emplace_back(one[0].get<std::uint64_t>(), one[1].get<std::string>());
    }
    return path;
}

/// Targets in the order in which they first turn up.
class LastOutcomes {
public:
    void set(const std::string& name, bool ok) {
        const auto [at, is_new] = places_.try_emplace(name, targets_.size());
        if (is_new) targets_.push_back({name, ok});
        targets_[at->second].ok = ok;
    }
    std::vector<RerunTarget> take() { return std::move(targets_); }

private:
    std::vector<RerunTarget> targets_;
    std::map<std::string, std::size_t> places_;
};

/// Of a plan that returned results.
std::vector<RerunTarget> returned_targets(const Json& frame) {
    LastOutcomes outcomes;
    for (const Json& one : frame.value("results", Json::array())) {
        if (one.is_array() && one.size() == 2 && one[0].is_string())
            outcomes.set(one[0].get<std::string>(), one[1] == true);
    }
    return outcomes.take();
}

}  // namespace

std::optional<Result> recorded_outcome(const Json& frame, const Json& step) {
    const std::string target = text_in(frame, "target");
    const std::string action = text_in(step, "action");
    static const Json none = Json::object();
    const auto stored = frame.find("result");
    const Json& content = stored != frame.end() && stored->is_object() ? *stored : none;
    if (text_in(frame, "status") == "not_started") {
        const Json error = content.value("value", none).value("_error", none);
        return Result::not_started(target, action,
                                   ErrorInfo(error.value("kind", ""), error.value("msg", "Not started")));
    }
    std::optional<std::string> object;
    if (content.contains("output")) object = text_in(step, "object");
    if (content.contains("object")) object = text_in(content, "object");
    return stored_result(target, action, std::move(object), content);
}

std::vector<RerunTarget> rerun_targets_of(const journal::RunRecord& run) {
    if (const Json* frame = run.find("rerun")) return returned_targets(*frame);
    LastOutcomes outcomes;
    for (const Json& frame : run.frames.frames) {
        if (text_in(frame, "frame") != "taken") continue;
        for (const std::string& name : texts_in(frame, "on")) outcomes.set(name, true);
    }
    for (const RecordedStep& step : steps_of_run(run)) {
        for (const std::string& name : step.targets) outcomes.set(name, false);
        for (const Result& result : step.results) outcomes.set(result.target(), result.ok());
    }
    return outcomes.take();
}

std::vector<RecordedStep> steps_of_run(const journal::RunRecord& run) {
    std::vector<RecordedStep> steps;
    std::map<std::uint64_t, std::size_t> numbers;
    std::vector<const Json*> frames;
    std::vector<std::map<std::string, double>> under_way;
    std::uint64_t first = 0;
    for (const Json& frame : run.frames.frames) {
        const std::string what = text_in(frame, "frame");
        const std::uint64_t at = number_in(frame, "at");
        if (first == 0) first = at;
        const double now = static_cast<double>(at - first) / 1000;
        if (what == "step") {
            numbers[number_in(frame, "step")] = steps.size();
            RecordedStep step;
            step.description = text_in(frame, "description");
            step.action = text_in(frame, "action");
            step.targets = texts_in(frame, "on");
            step.left = step.targets;
            step.path = path_in(frame);
            step.carried = frame.contains("carried");
            steps.push_back(std::move(step));
            frames.push_back(&frame);
            under_way.emplace_back();
        }
        const auto number = numbers.find(number_in(frame, "step"));
        if (number == numbers.end() || (what != "begin" && what != "outcome")) continue;
        RecordedStep& step = steps[number->second];
        auto& open = under_way[number->second];
        const std::string target = text_in(frame, "target");
        std::erase(step.left, target);
        if (what == "begin") {
            open[target] = now;
        } else if (auto result = recorded_outcome(frame, *frames[number->second])) {
            step.begins.push_back(open.contains(target) ? open[target] : now);
            step.ends.push_back(now);
            step.results.push_back(*std::move(result));
            open.erase(target);
        }
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
        for (const auto& [target, begin] : under_way[i]) steps[i].unknown.push_back(target);
        if (!run.frames.incomplete) continue;
        // Their intents are those that may be missing.
        std::move(steps[i].left.begin(), steps[i].left.end(), std::back_inserter(steps[i].unknown));
        steps[i].left.clear();
    }
    return steps;
}

}  // namespace volley::planner
