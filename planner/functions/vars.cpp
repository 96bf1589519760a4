#include <nlohmann/json.hpp>

#include "language/serialization/json.hpp"
#include "planner/functions/plan_function.hpp"

namespace volley::planner {
namespace {

Value do_vars(PlanCall& call) {
    return from_json(object_in<TargetObject>(call.arguments[0])->target().vars());
}

}  // namespace

const Builtin& vars_function() {
    static const Builtin def{
        .name = "vars",
        .doc = "The variables of a target.",
        .dispatches = {{.params = {{"Target", "target"}},
                        .returns = "Hash[String, Data]",
                        .call = plan_body<do_vars>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
