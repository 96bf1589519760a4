#pragma once

#include <chrono>
#include <string>

#include "cli/terminal/run_progress.hpp"
#include "planner/event.hpp"

namespace volley::cli {

/// For logs of continuous integration: how far a run is, as a line on standard error, when something has
/// changed, and at most every ten seconds.
class ProgressLines final : public planner::EventListener {
public:
    using Clock = std::chrono::steady_clock;
    explicit ProgressLines(RunProgress::DisplayName display_name,
                           std::chrono::milliseconds interval = std::chrono::seconds{10});
    void on_event(const planner::Event& event) override;

private:
    RunProgress progress_;
    std::chrono::milliseconds interval_;
    Clock::time_point last_ = Clock::now();
};

}  // namespace volley::cli
