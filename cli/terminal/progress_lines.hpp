#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <string>

#include "cli/terminal/run_progress.hpp"
#include "planner/event.hpp"

namespace volley::cli {

/// For logs of continuous integration: how far a run is and who is still at it, as a line on standard error,
/// when something has changed, and at most every ten seconds. While nothing changes there is a line a minute,
/// which shows where a run hangs.
class ProgressLines final : public planner::EventListener {
public:
    using Clock = std::chrono::steady_clock;
    struct Settings {
        Clock::duration interval = std::chrono::seconds{10};  ///< between two lines at least
        Clock::duration quiet = std::chrono::seconds{60};     ///< and at most
        int fd = 2;
    };
    ProgressLines(boost::asio::io_context& loop, RunProgress::DisplayName display_name, Settings settings);
    void on_event(const planner::Event& event) override;

private:
    void change();
    void print();
    void print_in(Clock::duration time);

    RunProgress progress_;
    Settings settings_;
    boost::asio::steady_timer timer_;
    Clock::time_point last_ = Clock::now();
    bool changed_ = false;  // since the last line
};

}  // namespace volley::cli
