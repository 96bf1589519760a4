#include "cli/terminal/status_line.hpp"

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <utility>

namespace volley::cli {

namespace {
constexpr std::chrono::milliseconds interval{100};
}  // namespace

/// Redraws the line while nothing happens, so that the seconds go on.
struct StatusLine::Ticker {
    explicit Ticker(boost::asio::io_context& loop) : timer(loop) {}
    boost::asio::steady_timer timer;
};

StatusLine::StatusLine(Console& console, transports::Runtime& runtime, RunProgress::DisplayName display_name)
    : console_(console),
      ticker_(std::make_unique<Ticker>(runtime.loop())),
      progress_(std::move(display_name)) {}

StatusLine::~StatusLine() { console_.set_status("", true); }

void StatusLine::on_event(const planner::Event& event) {
    progress_.on_event(event);
    if (std::holds_alternative<planner::ActionStarted>(event)) {
        tick();
    } else if (std::holds_alternative<planner::TargetStarted>(event) ||
               std::holds_alternative<planner::TargetFinished>(event)) {
        console_.set_status(progress_.text());
    } else if (std::holds_alternative<planner::Interrupted>(event)) {
        console_.set_status(progress_.text(), true);
    } else if (std::holds_alternative<planner::ActionFinished>(event) && !progress_.active()) {
        ticker_->timer.cancel();  // else the loop would wait for it
        console_.set_status("", true);
    }
}

void StatusLine::tick() {
    console_.set_status(progress_.text(), true);
    ticker_->timer.expires_after(interval);
    ticker_->timer.async_wait([this](const boost::system::error_code& problem) {
        if (!problem) tick();
    });
}

}  // namespace volley::cli
