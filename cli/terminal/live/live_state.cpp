#include "cli/terminal/live/live_state.hpp"

#include <algorithm>
#include <variant>

#include "planner/action.hpp"
#include "support/unicode/printable.hpp"

namespace volley::cli {
namespace {

constexpr std::size_t output_kept = 16 * 1024;  // bytes of what a target said

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
        tree_.end_step(ended->step);
    } else if (const auto* plan = std::get_if<planner::PlanStarted>(&event)) {
        if (plan->scope) tree_.begin_scope(*plan->scope);
    } else if (const auto* plan_over = std::get_if<planner::PlanFinished>(&event)) {
        if (plan_over->scope) tree_.end_scope(*plan_over->scope, plan_over->failed);
    } else if (const auto* branch = std::get_if<planner::BranchStarted>(&event)) {
        if (branch->scope) tree_.begin_scope(*branch->scope);
    } else if (const auto* branch_over = std::get_if<planner::BranchFinished>(&event)) {
        if (branch_over->scope) tree_.end_scope(*branch_over->scope, branch_over->failed);
    }
}

const LiveState::Running* LiveState::running(std::size_t step, const std::string& target) const {
    const auto at = running_at_.find(std::pair(step, target));
    return at == running_at_.end() ? nullptr : &*at->second;
}

void LiveState::begin_step(const planner::ActionStarted& action) {
    if (action.step == 0) return;  // its parts are shown
    LiveStep& step =
        tree_.begin_step(action.step, action.what != nullptr ? action.what->scope.get() : nullptr);
    step.description = printable(action.description);
    step.targets = action.targets;
    step.output_is_result =
        action.what != nullptr && std::holds_alternative<planner::TaskAction>(action.what->what);
}

void LiveState::begin_target(const planner::TargetStarted& started) {
    const auto at = running_.insert(running_.end(), Running{});
    at->target = started.target;
    at->name = printable(progress_.name(started.target));
    at->step = started.step;
    running_at_[{started.step, at->target}] = at;
    if (LiveStep* step = tree_.step(started.step)) {
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
    LiveStep* step = tree_.step(finished.step);
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
