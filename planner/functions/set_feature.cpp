#include "planner/functions/plan_function.hpp"

namespace volley::planner {
namespace {

Value do_set_feature(PlanCall& call) {
    inventory::Target target = object_in<TargetObject>(call.arguments[0])->target();
    target.set_feature(call.text(1), !call.has(2) || call.arguments[2].as_boolean());
    return call.arguments[0];
}

}  // namespace

const Builtin& set_feature_function() {
    static const Builtin def{
        .name = "set_feature",
        .doc = "Adds a feature to a target, or takes it away.",
        .dispatches = {{.params = {{"Target", "target"},
                                   {"String", "feature"},
                                   {"Boolean", "value", Dispatch::Optional}},
                        .returns = "Target",
                        .call = plan_body<do_set_feature>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
