#include <nlohmann/json.hpp>

#include "language/serialization/json.hpp"
#include "planner/functions/container.hpp"
#include "planner/functions/plan_function.hpp"
#include "planner/plan/plan_error.hpp"

namespace volley::planner {
namespace {

Value do_run_container(PlanCall& call) {
    const ContainerRequest request = container_request(call);
    call.run.executor().publish(ContainerStarted{request.image});
    const ContainerOutcome outcome = run_container_program(call, request);
    call.run.executor().publish(ContainerFinished{outcome});
    Value result = object_value(make_shared_object<ContainerResultObject>(outcome));
    if (outcome.ok() || request.catch_errors) return result;
    HashBuilder details;
    details.set("value", from_json(*outcome.value));
    details.set("object", outcome.image);
    throw PlanError(make_error_value("Running container '" + outcome.image + "' failed.",
                                     "bolt/container-failure", details.build(), {}),
                    call.at());
}

}  // namespace

const Builtin& run_container_function() {
    static const Builtin def{
        .name = "run_container",
        .doc = "Runs a container on the controller with the docker program.",
        .dispatches = {{.params = {{"String[1]", "image"},
                                   {"Hash[String[1], Any]", "options", Dispatch::Optional}},
                        .returns = "ContainerResult",
                        .call = plan_body<do_run_container>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
        .options =
            FunctionOptions{{"_catch_errors", "cmd", "env_vars", "ports", "rm", "volumes", "workdir"}, true},
    };
    return def;
}

}  // namespace volley::planner
