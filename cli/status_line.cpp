#include "cli/status_line.hpp"

#include <fmt/format.h>

#include <boost/asio/steady_timer.hpp>

namespace volley::cli {

namespace {
constexpr std::chrono::milliseconds interval{100};
}

/// Redraws the line while nothing happens, so that the seconds go on.
struct StatusLine::Ticker {
    explicit Ticker(boost::asio::io_context& loop) : timer(loop) {}
    boost::asio::steady_timer timer;
};

StatusLine::StatusLine(Console& console, transports::Runtime& runtime)
    : console_(console), ticker_(std::make_unique<Ticker>(runtime.loop())) {}

StatusLine::~StatusLine() { console_.set_status("", true); }

void StatusLine::on_event(const planner::Event& event) {
    if (const auto* action = std::get_if<planner::ActionStarted>(&event)) {
        if (actions_++ == 0) {
            begin_ = std::chrono::steady_clock::now();
            total_ = started_ = done_ = failed_ = 0;
        }
        total_ += action->targets;
        tick();
    } else if (std::holds_alternative<planner::TargetStarted>(event)) {
        ++started_;
        console_.set_status(text());
    } else if (const auto* finished = std::get_if<planner::TargetFinished>(&event)) {
        ++done_;
        if (!finished->result.ok()) ++failed_;
        console_.set_status(text());
    } else if (std::holds_alternative<planner::Interrupted>(event)) {
        interrupted_ = true;
        console_.set_status(text(), true);
    } else if (std::holds_alternative<planner::ActionFinished>(event)) {
        if (--actions_ > 0) return;
        ticker_->timer.cancel();  // else the loop would wait for it
        console_.set_status("", true);
    }
}

void StatusLine::tick() {
    console_.set_status(text(), true);
    ticker_->timer.expires_after(interval);
    ticker_->timer.async_wait([this](const boost::system::error_code& problem) {
        if (!problem) tick();
    });
}

std::string StatusLine::text() const {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin_;
    return fmt::format("{}{} of {} done, {} running, {} failed, {:.1f} s", interrupted_ ? "stopping: " : "", done_,
                       total_, started_ - done_, failed_, elapsed.count());
}

}  // namespace volley::cli
