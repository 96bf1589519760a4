#include <nlohmann/json.hpp>

#include "language/serialization/json.hpp"
#include "planner/functions/plan_function.hpp"

namespace volley::planner {
namespace {

Value do_add_facts(PlanCall& call) {
    inventory::Target target = object_in<TargetObject>(call.arguments[0])->target();
    target.add_facts(to_json(call.arguments[1]));
    return call.arguments[0];
}

}  // namespace

const Builtin& add_facts_function() {
    static const Builtin def{
        .name = "add_facts",
        .doc = "Adds facts to those known of a target.",
        .dispatches = {{.params = {{"Target", "target"}, {"Hash", "facts"}},
                        .returns = "Target",
                        .call = plan_body<do_add_facts>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
