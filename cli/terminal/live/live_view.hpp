#pragma once

#include <functional>
#include <memory>
#include <string>

#include "cli/terminal/console.hpp"
#include "cli/terminal/live/live_page.hpp"
#include "cli/terminal/live/live_state.hpp"
#include "planner/event.hpp"
#include "transports/runtime.hpp"

namespace volley::cli {

/// What goes on, below everything else on a terminal: the counts of the run, a line for each step of a plan,
/// the targets that have been at it for the longest time with the last line that they said, and everything
/// that has failed so far, equal failures once. It is drawn ten times a second, whatever happens meanwhile,
/// and looks for keys as often; between two drawings only counts and texts are noted.
class LiveView final : public planner::EventListener {
public:
    /// What keys can do to the run.
    struct Controls {
        std::function<void(std::size_t step, const std::string& target)> stop_target;
        std::function<void()> stop_all;
    };
    LiveView(Console& console, transports::Runtime& runtime, RunProgress::DisplayName display_name,
             Controls controls);
    ~LiveView() override;
    void on_event(const planner::Event& event) override;

private:
    struct Work;

    void draw(bool now);
    void tick();
    void read_keys();
    void wait_for_continue();

    Console& console_;
    transports::Runtime& runtime_;
    Controls controls_;
    LiveState state_;
    LivePage page_;
    std::unique_ptr<Work> work_;  // null while nothing runs
};

}  // namespace volley::cli
