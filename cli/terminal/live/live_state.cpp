#include "cli/terminal/live/live_state.hpp"

#include <algorithm>
#include <variant>

#include "planner/action.hpp"
#include "support/unicode/printable.hpp"

namespace volley::cli {
namespace {

constexpr std::size_t output_kept = 16 * 1024;  // bytes of what a target said
constexpr std::size_t ended_steps_kept = 40;    // of a plan; more than a screen has rows for

}  // namespace

void LiveState::on_event(const planner::Event& event) {
    progress_.on_event(event);
    if (const auto* action = std::get_if<planner::ActionStarted>(&event)) {
        begin_step(*action);
    } else if (const auto* started = std::get_if<planner::TargetStarted>(&event)) {
        begin_target(*started);
    } else if (const auto* output = std::get_if<planner::TargetOutput>(&event)) {
        note_output(*output);
    } else if (const auto* finished = std::get_if<planner::TargetFinished>(&event)) {
        end_target(*finished);
    } else if (const auto* ended = std::get_if<planner::ActionFinished>(&event)) {
        end_step(ended->step);
    } else if (const auto* plan = std::get_if<planner::PlanStarted>(&event)) {
        plans_.emplace_back(plan->plan);
    } else if (const auto* over = std::get_if<planner::PlanFinished>(&event)) {
        const auto at = std::find(plans_.rbegin(), plans_.rend(), over->plan);
        if (at != plans_.rend()) plans_.erase(std::next(at).base());
    }
}

const LiveState::Step* LiveState::step(std::size_t number) const {
    const auto at = std::ranges::find(steps_, number, &Step::number);
    return at == steps_.end() ? nullptr : &*at;
}

LiveState::Step* LiveState::find_step(std::size_t number) {
    const auto at = std::ranges::find(steps_, number, &Step::number);
    return at == steps_.end() ? nullptr : &*at;
}

const LiveState::Running* LiveState::running(std::size_t step, const std::string& target) const {
    const auto at = running_at_.find(std::pair(step, target));
    return at == running_at_.end() ? nullptr : &*at->second;
}

void LiveState::begin_step(const planner::ActionStarted& action) {
    if (action.step == 0) return;  // its parts are shown
    Step& step = steps_.emplace_back();
    step.number = action.step;
    step.description = printable(action.description);
    step.targets = action.targets;
    step.output_is_result =
        action.what != nullptr && std::holds_alternative<planner::TaskAction>(action.what->what);
}

void LiveState::end_step(std::size_t number) {
    if (Step* step = find_step(number)) step->end = Clock::now();
    forget_old_steps();
}

/// A plan may have a million steps; those that failed stay the longest.
void LiveState::forget_old_steps() {
    const auto over = [](const Step& step) { return step.end.has_value(); };
    const auto over_and_well = [](const Step& step) { return step.end && step.failed == 0; };
    while (std::cmp_greater(std::ranges::count_if(steps_, over), ended_steps_kept)) {
        auto oldest = std::ranges::find_if(steps_, over_and_well);
        if (oldest == steps_.end()) oldest = std::ranges::find_if(steps_, over);
        steps_.erase(oldest);
    }
}

void LiveState::begin_target(const planner::TargetStarted& started) {
    const auto at = running_.insert(running_.end(), Running{});
    at->target = started.target;
    at->name = printable(progress_.name(started.target));
    at->step = started.step;
    running_at_[{started.step, at->target}] = at;
    if (Step* step = find_step(started.step)) {
        ++step->running;
        at->output_is_result = step->output_is_result;
    }
}

void LiveState::end_target(const planner::TargetFinished& finished) {
    const planner::Result& result = finished.result;
    const std::pair key(finished.step, result.target());
    const auto at = running_at_.find(key);
    const bool ran = at != running_at_.end();
    if (ran) {
        if (key == wanted_) ended_ = std::move(*at->second);
        running_.erase(at->second);
        running_at_.erase(at);
    }
    const std::string name = printable(progress_.name(result.target()));
    const bool failed = result.status() == planner::Status::Failure;
    if (failed) failures_.add(result, name);
    Step* step = find_step(finished.step);
    if (step == nullptr) return;
    if (ran) --step->running;
    ++step->done;
    if (result.ok()) step->ok_names.push_back(name);
    if (!result.ok()) ++step->failed;
    if (!failed) return;
    if (!step->failures) step->failures = std::make_unique<FailureGrouping>();
    step->failures->add(result, name);
}

void LiveState::note_output(const planner::TargetOutput& output) {
    const auto at = running_at_.find(std::pair(output.step, std::string(output.target)));
    if (at == running_at_.end()) return;
    Running& target = *at->second;
    if (target.output_is_result && output.stream == transports::Stream::Out) return;
    std::string_view bytes = output.bytes;
    if (bytes.size() > output_kept) bytes.remove_prefix(bytes.size() - output_kept);
    target.said += bytes;
    if (target.said.size() > 2 * output_kept) target.said.erase(0, target.said.size() - output_kept);
}

}  // namespace volley::cli
