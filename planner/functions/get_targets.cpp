#include "planner/functions/plan_function.hpp"

namespace volley::planner {
namespace {

Value do_get_targets(PlanCall& call) {
    std::vector<Value> targets;
    for (const inventory::Target& target : call.run.resolve(call.arguments[0])) {
        targets.push_back(call.run.target_value(target));
    }
    return targets;
}

}  // namespace

const Builtin& get_targets_function() {
    static const Builtin def{
        .name = "get_targets",
        .doc = "The targets that a TargetSpec stands for, each once.",
        .dispatches = {{.params = {{"Boltlib::TargetSpec", "names"}},
                        .returns = "Array[Target]",
                        .call = plan_body<do_get_targets>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
