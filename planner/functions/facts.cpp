#include <nlohmann/json.hpp>

#include "language/serialization/json.hpp"
#include "planner/functions/plan_function.hpp"

namespace volley::planner {
namespace {

Value do_facts(PlanCall& call) {
    return from_json(object_in<TargetObject>(call.arguments[0])->target().facts());
}

}  // namespace

const Builtin& facts_function() {
    static const Builtin def{
        .name = "facts",
        .doc = "The facts that are known of a target.",
        .dispatches = {{.params = {{"Target", "target"}},
                        .returns = "Hash[String, Data]",
                        .call = plan_body<do_facts>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
