#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "inventory/config/config.hpp"
#include "inventory/inventory.hpp"
#include "language/evaluator/closure.hpp"
#include "language/evaluator/environment.hpp"
#include "language/evaluator/evaluator.hpp"
#include "planner/executor.hpp"
#include "planner/fibers/scheduler.hpp"
#include "planner/plan/futures.hpp"
#include "planner/plan/plan_library.hpp"
#include "planner/plan/terminal.hpp"
#include "planner/types/plan_types.hpp"
#include "tasks/library.hpp"

namespace volley::planner {

class ApplyTools;
class PlanHooks;
class PlanHost;
class PlanLog;
class RunRecorder;

/// What `plan run` provides to plans. All must outlive the run.
struct PlanWorld {
    transports::Runtime& runtime;
    Executor& executor;
    inventory::Inventory& inventory;
    const tasks::Library& library;
    const inventory::Config& config;
    Terminal* terminal = nullptr;     ///< null: nobody to ask
    bool noop = false;                ///< --noop: for every task (FN-024)
    PlanLog* log = nullptr;           ///< --plan-log and --resume
    RunRecorder* recorder = nullptr;  ///< null: the run is not recorded
};

/// How a plan ended (JSN-006, JSN-007).
struct PlanOutcome {
    Value value;                     ///< of a plan that ended well
    std::optional<ErrorInfo> error;  ///< of one that did not
    Value error_value;               ///< its Error, with its ResultSet; undef when there is none
    bool ok() const noexcept { return !error; }
};

/// One run of a plan, with every plan that it runs: the language with its plan functions, the fibers, and the
/// targets as the plan sees them. Loop thread only.
class PlanRun {
public:
    explicit PlanRun(PlanWorld world);
    ~PlanRun();
    PlanRun(const PlanRun&) = delete;
    PlanRun& operator=(const PlanRun&) = delete;

    /// The run that a function is called in. Throws EvalError for functions of plans in code that is compiled
    /// to a catalog (PLN-017).
    static PlanRun& of(const CallContext& context);
    /// The same, null outside of plans.
    static PlanRun* find(const CallContext& context);

    /// Runs a plan and everything it starts to the end; drives the loop. `parameters` is a hash: what the
    /// user passed, typed (ARG-006). Ctrl-C stops it as it stops an action.
    PlanOutcome run(const std::string& plan, const Value& parameters);

    /// The same for code that is not a plan; `body` runs on a fiber.
    PlanOutcome run(const std::string& name, const std::function<Value()>& body);

    /// One of several inputs to the same run: what it defines stays, and sessions stay open for the next one.
    /// Ctrl-C ends only this input (and the sessions); after another signal the executor stays interrupted.
    PlanOutcome run_input(const std::function<Value()>& body);
    /// After the last input.
    void close_sessions();

    /// The checks of call_plan() alone: throws what is wrong with the parameters. The targets that its
    /// parameters of the type TargetSpec stand for, by their names and in their order; those that are not
    /// passed count with their default where it is a literal.
    using TargetParameters = std::vector<std::pair<std::string, std::vector<inventory::Target>>>;
    TargetParameters check_call(const std::string& name, const Value& parameters);

    /// What run_plan() looks at before the plan begins: that there is such a plan, and the targets of the
    /// parameters that are passed. Throws what `_catch_errors` does not catch.
    void check_targets(const std::string& name, const Value& parameters);

    /// From a fiber, after check_targets(): runs a plan inside this one (FN-022) and returns its value. `at`:
    /// the call.
    Value call_plan(const std::string& name, const Value& parameters, const Location& at = {});

    inventory::Inventory& inventory() noexcept { return world_.inventory; }
    Executor& executor() noexcept { return world_.executor; }
    const tasks::Library& library() const noexcept { return world_.library; }
    const inventory::Config& config() const noexcept { return world_.config; }
    transports::Runtime& runtime() noexcept { return world_.runtime; }
    Terminal* terminal() noexcept { return world_.terminal; }
    bool noop() const noexcept { return world_.noop; }
    FiberScheduler& fibers() noexcept { return fibers_; }
    Futures& futures() noexcept { return futures_; }
    PlanLibrary& plans() noexcept { return plans_; }
    Environment& environment() noexcept { return environment_; }
    Evaluator& evaluator() noexcept { return *evaluator_; }
    ResourceStore& resources() noexcept { return *resources_; }
    /// Made when first asked for. Throws what ApplyTools throws.
    const std::shared_ptr<ApplyTools>& apply_tools();

    /// The targets that a TargetSpec stands for, each once (PLN-008).
    std::vector<inventory::Target> resolve(const Value& targets);
    Value target_value(const inventory::Target& target);
    Ref<const ResultSetObject> result_set(const ResultSet& results);
    /// True when a value may be what a plan or block returns (PLN-007).
    bool is_plan_result(const Value& value);

    /// From a fiber: runs an action; what is raised by an interruption passes through.
    ResultSet execute(Action action, std::vector<inventory::Target> targets);

private:
    PlanOutcome run_fibers(const std::string& name, const std::function<Value()>& body);
    void settle(PlanOutcome& outcome);
    Value run_code(const PlanDefinition& plan, const Value& parameters);
    void check_parameters(const PlanDefinition& plan, const Hash& given);
    Value with_literal_defaults(const PlanDefinition& plan, const Hash& given);
    TargetParameters resolve_target_parameters(const PlanDefinition& plan, const Hash& parameters);

    PlanWorld world_;
    FiberScheduler fibers_;
    Futures futures_;
    std::unique_ptr<PlanHost> host_;
    Environment environment_;
    std::unique_ptr<PlanHooks> hooks_;
    std::unique_ptr<Evaluator> evaluator_;
    PlanLibrary plans_;
    std::shared_ptr<ResourceStore> resources_;
    std::shared_ptr<ApplyTools> apply_tools_;
    TypePtr plan_result_;
};

}  // namespace volley::planner
