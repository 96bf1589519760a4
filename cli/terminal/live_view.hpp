#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/outputters/result_groups.hpp"
#include "cli/terminal/console.hpp"
#include "cli/terminal/run_progress.hpp"
#include "planner/event.hpp"
#include "transports/runtime.hpp"

namespace volley::cli {

/// What goes on, below everything else on a terminal: the counts of the run, a line for each step of a plan,
/// the targets that have been at it for the longest time with the last line that they said, and everything
/// that has failed so far, equal failures once. It is drawn ten times a second, whatever happens meanwhile;
/// between two drawings only counts and texts are noted.
class LiveView final : public planner::EventListener {
public:
    LiveView(Console& console, transports::Runtime& runtime, RunProgress::DisplayName display_name);
    ~LiveView() override;
    void on_event(const planner::Event& event) override;
    /// The lines as they are drawn on a terminal of that many rows.
    std::vector<std::string> lines(std::size_t rows) const;

private:
    using Clock = std::chrono::steady_clock;
    struct Loop;
    struct Step {
        std::size_t number = 0;
        std::string description;
        std::size_t targets = 0, running = 0, done = 0, failed = 0;
        bool output_is_result = false;  // a task's, which may hold what is sensitive
        Clock::time_point begin = Clock::now();
    };
    /// One target in one step.
    struct Running {
        std::string name;
        std::size_t step = 0;
        Clock::time_point begin = Clock::now();
        std::string line;     // the last whole one that was not blank
        std::string partial;  // what came after it
    };

    void begin_step(const planner::ActionStarted& action);
    void end_step(std::size_t number);
    void end_target(const planner::TargetFinished& finished);
    void note_output(const planner::TargetOutput& output);
    void note_plan(const planner::Event& event);
    Step* find_step(std::size_t number);
    void add_steps(std::vector<std::string>& lines, std::size_t space) const;
    void add_slowest(std::vector<std::string>& lines, std::size_t space) const;
    void add_failures(std::vector<std::string>& lines, std::size_t space) const;
    void draw(bool now);
    void tick();
    void wait_for_continue();

    Console& console_;
    std::unique_ptr<Loop> loop_;
    RunProgress progress_;
    std::list<Step> steps_;
    std::list<Running> running_;  // in the order of their start
    std::map<std::pair<std::size_t, std::string>, std::list<Running>::iterator> running_at_;
    std::vector<std::string> plans_;  // under way, outer ones first
    FailureGrouping failures_;        // of all steps: nothing that failed goes away
};

}  // namespace volley::cli
