#include "planner/functions/plan_function.hpp"
#include "planner/plan/plan_error.hpp"
#include "planner/plan/plan_parameters.hpp"

namespace volley::planner {
namespace {

/// FN-022: positional targets go to `nodes`, or to `targets` when that is a TargetSpec.
void put_targets(const PlanCall& call, const std::string& plan, const Value& targets,
                 HashBuilder& parameters) {
    const PlanTargetParameters known = target_parameters(*call.run.plans().find(plan));
    if (known.nodes && known.targets) {
        fail_as_ruby(
            "A plan with both a $nodes and $targets parameter cannot have either parameter specified as the "
            "second positional argument to run_plan().");
    }
    const std::string name = !known.nodes && known.targets ? "targets" : "nodes";
    if ((known.nodes || known.targets) && parameters.contains(Value(name))) {
        fail_as_ruby("A plan's '" + name +
                     "' parameter can be specified as the second positional argument to run_plan(), "
                     "but in that case '" +
                     name + "' must not be specified in the named arguments hash.");
    }
    parameters.set(Value(name), targets);
}

/// What _run_as says holds for everything inside.
class RunAsGuard {
public:
    RunAsGuard(PlanFuture& future, const Value* run_as) : future_(future), saved_(future.run_as) {
        if (run_as && run_as->is_string()) future_.run_as = run_as->as_string();
    }
    ~RunAsGuard() { future_.run_as = std::move(saved_); }
    RunAsGuard(const RunAsGuard&) = delete;
    RunAsGuard& operator=(const RunAsGuard&) = delete;

private:
    PlanFuture& future_;
    std::optional<std::string> saved_;
};

Value do_run_plan(PlanCall& call) {
    HashBuilder parameters;
    HashBuilder options;
    const bool positional = call.has(1) && !call.arguments[1].is_hash();
    const std::size_t at = positional ? 2 : 1;
    if (call.has(at)) {
        for (const Hash::Entry& entry : call.arguments[at].as_hash()) {
            const bool option = entry.key.is_string() && entry.key.as_string().starts_with('_');
            (option ? options : parameters).set(entry.key, entry.value);
        }
    }
    if (positional) put_targets(call, call.text(0), call.arguments[1], parameters);
    const Value* caught = options.find(Value("_catch_errors"));
    const bool catch_errors = caught && caught->truthy();
    const Value given = parameters.build();
    // Compatibility: _catch_errors is about what happens inside of the plan.
    call.run.check_targets(call.text(0), given);
    const RunAsGuard guard(call.run.futures().current(), options.find(Value("_run_as")));
    try {
        return call.run.call_plan(call.text(0), given, call.at());
    } catch (const Error& error) {
        if (!catch_errors || !is_catchable(error)) throw;
        return to_plan_error(error, call.at()).value();
    }
}

}  // namespace

const Builtin& run_plan_function() {
    static const Builtin def{
        .name = "run_plan",
        .doc = "Runs another plan and returns its value.",
        .dispatches = {{.params = {{"String", "plan_name"}, {"Hash", "args", Dispatch::Optional}},
                        .returns = "Boltlib::PlanResult",
                        .call = plan_body<do_run_plan>},
                       {.params = {{"String", "plan_name"},
                                   {"Boltlib::TargetSpec", "targets"},
                                   {"Hash", "args", Dispatch::Optional}},
                        .returns = "Boltlib::PlanResult",
                        .call = plan_body<do_run_plan>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
        .options = FunctionOptions{{"_catch_errors", "_run_as"}, false, true},
    };
    return def;
}

}  // namespace volley::planner
