#include "cli/terminal/progress_lines.hpp"

#include <unistd.h>

#include <utility>

#include "support/unicode/printable.hpp"

namespace volley::cli {

ProgressLines::ProgressLines(boost::asio::io_context& loop, RunProgress::DisplayName display_name,
                             Settings settings)
    : progress_(std::move(display_name)), settings_(settings), timer_(loop) {}

void ProgressLines::on_event(const planner::Event& event) {
    const bool was_active = progress_.active();
    progress_.on_event(event);
    if (!progress_.active()) {
        timer_.cancel();  // else the loop would wait for it
    } else if (!was_active) {
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
    const std::string line = printable(progress_.text(RunProgress::Names::Folded)) + "\n";
    // Nothing can be done when nobody listens there.
    [[maybe_unused]] const ssize_t ignored = ::write(settings_.fd, line.data(), line.size());
    print_in(settings_.quiet);
}

void ProgressLines::print_in(Clock::duration time) {
    timer_.expires_after(time);
    timer_.async_wait([this](const boost::system::error_code& cancelled) {
        if (!cancelled) print();
    });
}

}  // namespace volley::cli
