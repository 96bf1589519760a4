#include "cli/terminal/progress_lines.hpp"

#include <unistd.h>

#include <utility>

#include "planner/action.hpp"
#include "planner/plan_scope.hpp"
#include "support/unicode/columns.hpp"
#include "support/unicode/printable.hpp"

namespace volley::cli {
namespace {

constexpr std::size_t widest_description = 60;

/// Where a step of a plan is, in few words.
std::string step_path(const planner::ActionStarted& action) {
    std::string path;
    for (const planner::PlanScope* scope : planner::scope_path(action.what->scope.get())) {
        if (scope->kind == planner::PlanScope::Kind::Parallel) continue;  // its branch is named
        path += (scope->kind == planner::PlanScope::Kind::Plan ? scope->name : scope_label(*scope)) + " > ";
    }
    const std::string_view description = first_columns(action.description, widest_description);
    return path + std::string(description) + (description.size() < action.description.size() ? "..." : "");
}

}  // namespace

ProgressLines::ProgressLines(boost::asio::io_context& loop, RunProgress::DisplayName display_name,
                             Settings settings)
    : progress_(std::move(display_name)), settings_(settings), timer_(loop) {}

void ProgressLines::on_event(const planner::Event& event) {
    const bool was_active = progress_.active();
    progress_.on_event(event);
    if (const auto* action = std::get_if<planner::ActionStarted>(&event)) {
        if (action->what != nullptr && action->what->scope) steps_[action->step] = step_path(*action);
    } else if (const auto* ended = std::get_if<planner::ActionFinished>(&event)) {
        steps_.erase(ended->step);
    }
    if (!progress_.active()) {
        timer_.cancel();  // else the loop would wait for it
    } else if (!was_active) {
        // A plan may have been between two steps: what changed before that still has no line.
        if (std::exchange(changed_, false))
            change();
        else
            print_in(settings_.quiet);
    } else if (std::holds_alternative<planner::TargetStarted>(event) ||
               std::holds_alternative<planner::TargetFinished>(event)) {
        change();
    }
}

/// What comes too early for a line of its own has one when its time has come.
void ProgressLines::change() {
    const Clock::duration since = Clock::now() - last_;
    if (since >= settings_.interval) return print();
    if (!std::exchange(changed_, true)) print_in(settings_.interval - since);
}

void ProgressLines::print() {
    last_ = Clock::now();
    changed_ = false;
    const std::string line = printable(step_text() + progress_.text(RunProgress::Names::Folded)) + "\n";
    // Nothing can be done when nobody listens there.
    [[maybe_unused]] const ssize_t ignored = ::write(settings_.fd, line.data(), line.size());
    print_in(settings_.quiet);
}

std::string ProgressLines::step_text() const {
    if (steps_.empty()) return {};
    const std::size_t more = steps_.size() - 1;
    return steps_.begin()->second +
           (more == 0 ? "" : " and " + std::to_string(more) + (more == 1 ? " more step" : " more steps")) +
           ": ";
}

void ProgressLines::print_in(Clock::duration time) {
    timer_.expires_after(time);
    timer_.async_wait([this](const boost::system::error_code& cancelled) {
        if (!cancelled) print();
    });
}

}  // namespace volley::cli
