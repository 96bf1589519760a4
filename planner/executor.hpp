#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "inventory/inventory.hpp"
#include "planner/action.hpp"
#include "planner/event.hpp"
#include "planner/results/result.hpp"
#include "transports/runtime.hpp"

namespace volley::planner {

struct ExecutorSettings {
    std::size_t concurrency = 100;
    bool stream = false;              ///< publish TargetOutput
    bool script_interpreter = false;  ///< SH-019
    /// False: a target's session ends with its action, which keeps descriptors and memory bounded by
    /// `concurrency`. Plans keep them for their next step, as many as the limit of open files allows.
    bool keep_sessions = false;
};

/// The order that results have (RES-020).
std::vector<inventory::Target> in_result_order(const std::vector<inventory::Target>& targets);

/// Turns an action on a target set into per-target jobs under the concurrency limit, over one pool of
/// connections that lasts as long as it does. Loop thread only.
class Executor {
public:
    Executor(transports::Runtime& runtime, inventory::Inventory& inventory, const tasks::Library& library,
             ExecutorSettings settings);
    ~Executor();
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;

    void add_listener(EventListener& listener);
    /// Calls all listeners.
    void publish(const Event& event);

    /// Runs to the end on all targets; what goes wrong on one is its result and never an exception.
    /// Results are in the order of `targets` grouped by transport (RES-020).
    transports::Task<ResultSet> run(const Action& action, std::vector<inventory::Target> targets);

    /// Runs the loop on this thread until `run` is done, and closes all connections. For programs without
    /// fibers. The first signal (InterruptHandler) stops what runs: temporary directories are removed,
    /// results so far are returned, the rest are errors of kind volley/interrupted; what can end by itself
    /// (TargetAccess::on_interrupt) is waited for. The second ends the process at once.
    ResultSet run_blocking(const Action& action, std::vector<inventory::Target> targets);
    bool interrupted() const noexcept;

    /// Runs the loop on this thread until `done()` is true. Signals as in run_blocking; after the actions
    /// under way were asked to stop, `on_interrupt` is called.
    void run_until(const std::function<bool()>& done, const std::function<void()>& on_interrupt = {});
    /// Stops what that step (TargetStarted::step) does on one target; the others go on. Its result is an
    /// error of kind volley/stopped, or what it returns when it can end by itself
    /// (TargetAccess::on_interrupt): the second call does not wait for that. False when nothing runs there.
    bool stop(std::size_t step, std::string_view target);
    /// Says goodbye to all targets, within two seconds.
    void close_sessions();
    /// What comes next is not interrupted any more; nothing may be under way. For whoever asks a person what
    /// to do next.
    void forget_interruption();
    const ExecutorSettings& settings() const noexcept;

private:
    struct State;
    std::shared_ptr<State> state_;  // also held by jobs that were given up
};

}  // namespace volley::planner
