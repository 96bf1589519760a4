#include "planner/functions/plan_function.hpp"
#include "planner/functions/task_arguments.hpp"
#include "planner/plan/rollout_options.hpp"

namespace volley::planner {
namespace {

Value do_run_task(PlanCall& call) {
    StepOptions options = step_options(call, 2);
    std::vector<inventory::Target> targets = call.run.resolve(call.arguments[1]);
    if (targets.empty()) return run_step(call, CommandAction{}, {}, options, "run_task", call.text(0));
    const auto task = call.run.library().find_task(call.text(0));
    const bool noop = options.noop || call.run.noop();
    tasks::Arguments arguments = task_arguments(call, *task, options.all, noop);
    TaskAction action{task, std::move(arguments), noop};
    return run_step(call, std::move(action), std::move(targets), options, "run_task", call.text(0));
}

}  // namespace

const Builtin& run_task_function() {
    static const Builtin def{
        .name = "run_task",
        .doc = "Runs a task on targets and returns the ResultSet.",
        .dispatches = step_dispatches({{"String[1]", "task_name"}}, plan_body<do_run_task>),
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
        .options =
            FunctionOptions{with_rollout_options({"_catch_errors", "_description", "_noop", "_run_as"}),
                            false, true},
    };
    return def;
}

}  // namespace volley::planner
