#pragma once

#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "inventory/targets/target.hpp"
#include "planner/plan_scope.hpp"
#include "planner/results/result.hpp"
#include "transports/output.hpp"

namespace volley::planner {

struct Action;

/// An action begins on `targets` targets, at most `concurrency` at once.
struct ActionStarted {
    std::string_view action;
    std::string_view description;  ///< "command 'uptime'" (OUT-015)
    std::size_t targets;
    std::span<const inventory::Target> on = {};  ///< the same targets, for step lines (OUT-014)
    std::size_t step = 0;                        ///< as in TargetStarted
    const Action* what = nullptr;                ///< null: its description is all there is
};
struct TargetStarted {
    std::string_view target;
    std::string_view description = {};  ///< of the action
    std::string_view log_text = {};     ///< for the log (action_log_text); empty when nobody wants it
    std::size_t step = 0;               ///< number of the action in this run of the program, from 1; 0: none
    std::size_t index = 0;              ///< in ActionStarted::on, of an action with a number
};
/// Output as it arrives, only when the executor was asked to stream.
struct TargetOutput {
    std::string_view target;
    std::string_view safe_name;
    transports::Stream stream;
    std::string_view bytes;
    std::size_t step = 0;
};
struct TargetFinished {
    const Result& result;
    std::chrono::nanoseconds elapsed;
    std::size_t step = 0;
    std::size_t index = 0;  ///< as in TargetStarted
};
struct ActionFinished {
    std::string_view description;
    const ResultSet& results;
    std::chrono::nanoseconds elapsed;
    std::size_t step = 0;
};
/// A plan that is resumed takes the results of `on` from the record; the action is not run there. `open`
/// targets are left, and an ActionStarted follows for them when there are any.
struct ActionTaken {
    std::string_view description;
    std::span<const inventory::Target> on;
    std::size_t open = 0;
};
/// Ctrl-C: `running` targets still ran (each with what it was doing).
struct Interrupted {
    std::vector<std::string> running;
};

/// A plan begins, or a plan that it runs (OUT-013).
struct PlanStarted {
    std::string_view plan;
    PlanScopePtr scope = nullptr;
};
struct PlanFinished {
    std::string_view plan;
    std::chrono::nanoseconds elapsed;
    PlanScopePtr scope = nullptr;
    bool failed = false;  ///< with an error, also when the plan around it catches that
};
/// A branch of parallelize or a block of background begins.
struct BranchStarted {
    PlanScopePtr scope;
};
struct BranchFinished {
    PlanScopePtr scope;
    bool failed = false;
};
/// out::message and, with `verbose`, out::verbose (OUT-019).
struct Message {
    std::string_view text;
    bool verbose = false;
};
/// without_default_logging: while `off` was seen more often than on, only messages are printed (OUT-018).
struct OutputSwitched {
    bool off;
};
/// run_container (OUT-016).
struct ContainerStarted {
    std::string_view image;
};
struct ContainerFinished {
    const ContainerOutcome& outcome;
};

using Event = std::variant<ActionStarted, TargetStarted, TargetOutput, TargetFinished, ActionFinished,
                           ActionTaken, Interrupted, PlanStarted, PlanFinished, BranchStarted, BranchFinished,
                           Message, OutputSwitched, ContainerStarted, ContainerFinished>;

/// Outputters, the rerun file, the log and reports listen; nothing else prints. Called on the loop thread.
/// Views in an event are valid during the call only.
class EventListener {
public:
    virtual ~EventListener() = default;
    virtual void on_event(const Event& event) = 0;
    /// Whoever records events for later has written them by then. Called before anything is done on targets
    /// that were reported as started, and when there is nothing more to report for the moment.
    virtual void flush() {}
};

}  // namespace volley::planner
