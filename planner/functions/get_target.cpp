#include <nlohmann/json.hpp>

#include "language/errors.hpp"
#include "planner/functions/plan_function.hpp"
#include "support/error.hpp"

namespace volley::planner {
namespace {

Value do_get_target(PlanCall& call) {
    const std::vector<inventory::Target> targets = call.run.resolve(call.arguments[0]);
    if (targets.empty()) {  // compatibility: Puppet compares what functions return with their signature
        throw EvalError(
            "",
            "value returned from function 'get_target' has wrong type, expects a Target value, got Undef");
    }
    if (targets.size() == 1) return call.run.target_value(targets.front());
    throw Error("bolt.inventory/validation-error",
                "'" + Evaluator::text(call.arguments[0]) + "' refers to " + std::to_string(targets.size()) +
                    " targets",
                Json{{"path", Json::array()}});
}

}  // namespace

const Builtin& get_target_function() {
    static const Builtin def{
        .name = "get_target",
        .doc = "The one target that a TargetSpec stands for.",
        .dispatches = {{.params = {{"Boltlib::TargetSpec", "name"}},
                        .returns = "Target",
                        .call = plan_body<do_get_target>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
