#include <nlohmann/json.hpp>

#include "language/serialization/json.hpp"
#include "planner/functions/plan_function.hpp"

namespace volley::planner {
namespace {

Value do_set_var(PlanCall& call) {
    inventory::Target target = object_in<TargetObject>(call.arguments[0])->target();
    target.set_var(call.text(1), to_json(call.arguments[2]));
    return call.arguments[0];
}

}  // namespace

const Builtin& set_var_function() {
    static const Builtin def{
        .name = "set_var",
        .doc = "Sets a variable of a target.",
        .dispatches = {{.params = {{"Target", "target"}, {"String", "key"}, {"Data", "value"}},
                        .returns = "Target",
                        .call = plan_body<do_set_var>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
