#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <map>
#include <string>

#include "cli/terminal/run_progress.hpp"
#include "planner/event.hpp"

namespace volley::cli {

/// For logs of continuous integration: how far a run is and who is still at it, as a line on standard error,
/// when something has changed, and at most every ten seconds. While nothing changes there is a line a minute,
/// which shows where a run hangs. In a plan a line begins with the step that has been running the longest,
/// and where in the plan it is: "rollout > branch 3 (web3) > task shop::deploy and 4 more steps: 2 of 9 done,
/// ...".
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

    std::string step_text() const;

    RunProgress progress_;
    std::map<std::size_t, std::string> steps_;  // of plans, those under way: where they are
    Settings settings_;
    boost::asio::steady_timer timer_;
    Clock::time_point last_ = Clock::now();
    bool changed_ = false;  // since the last line
};

}  // namespace volley::cli
