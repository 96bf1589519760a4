#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/outputters/result_groups.hpp"
#include "cli/terminal/live/live_tree.hpp"
#include "cli/terminal/run_progress.hpp"
#include "planner/event.hpp"

namespace volley::cli {

/// What goes on in a run, as its events have it: steps, targets that run with the last that they
/// said, failures. Names and descriptions are for a terminal.
class LiveState {
public:
    using Clock = std::chrono::steady_clock;
    /// One target in one step.
    struct Running {
        std::string target;
        std::string name;  // for people
        std::size_t step = 0;
        bool output_is_result = false;
        Clock::time_point begin = Clock::now();
        std::string said;  // the end of it
    };

    explicit LiveState(RunProgress::DisplayName display_name) : progress_(std::move(display_name)) {}
    void on_event(const planner::Event& event);

    const RunProgress& progress() const noexcept { return progress_; }
    const LiveTree& tree() const noexcept { return tree_; }
    const std::list<Running>& running() const noexcept { return running_; }  ///< in the order of their start
    const std::vector<ResultGroup>& failures() const { return failures_.groups(); }
    const Running* running(std::size_t step, const std::string& target) const;
    /// The target that ended last of those for which `keep` was set: somebody looks at it.
    void keep(std::size_t step, std::string target) { wanted_ = {step, std::move(target)}; }
    const std::optional<Running>& ended() const noexcept { return ended_; }

private:
    void begin_step(const planner::ActionStarted& action);
    void begin_target(const planner::TargetStarted& started);
    void end_target(const planner::TargetFinished& finished);
    void note_output(const planner::TargetOutput& output);

    RunProgress progress_;
    LiveTree tree_;
    std::list<Running> running_;
    std::map<std::pair<std::size_t, std::string>, std::list<Running>::iterator, std::less<>> running_at_;
    std::pair<std::size_t, std::string> wanted_;
    std::optional<Running> ended_;
    FailureGrouping failures_;  // of all steps: nothing that failed goes away
};

}  // namespace volley::cli
