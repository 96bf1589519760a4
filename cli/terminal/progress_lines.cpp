#include "cli/terminal/progress_lines.hpp"

#include <unistd.h>

#include <utility>

#include "support/unicode/printable.hpp"

namespace volley::cli {

ProgressLines::ProgressLines(RunProgress::DisplayName display_name, std::chrono::milliseconds interval)
    : progress_(std::move(display_name)), interval_(interval) {}

void ProgressLines::on_event(const planner::Event& event) {
    progress_.on_event(event);
    const bool changed = std::holds_alternative<planner::TargetStarted>(event) ||
                         std::holds_alternative<planner::TargetFinished>(event);
    if (!changed || Clock::now() - last_ < interval_) return;
    last_ = Clock::now();
    const std::string line = printable(progress_.text()) + "\n";
    // Nothing can be done when nobody listens there.
    [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace volley::cli
