#include "planner/functions/plan_function.hpp"
#include "planner/plan/rollout_options.hpp"

namespace volley::planner {
namespace {

Value do_run_command(PlanCall& call) {
    const StepOptions options = step_options(call, 2, true);
    CommandAction command{call.text(0), options.environment};
    return run_step(call, std::move(command), call.run.resolve(call.arguments[1]), options, "run_command",
                    call.text(0));
}

}  // namespace

const Builtin& run_command_function() {
    static const Builtin def{
        .name = "run_command",
        .doc = "Runs a command on targets and returns the ResultSet.",
        .dispatches = step_dispatches({{"String[1]", "command"}}, plan_body<do_run_command>),
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
        .options =
            FunctionOptions{with_rollout_options({"_catch_errors", "_description", "_env_vars", "_run_as"}),
                            true},
    };
    return def;
}

}  // namespace volley::planner
