#include "planner/functions/plan_function.hpp"

namespace volley::planner {
namespace {

Value do_add_to_group(PlanCall& call) {
    const std::vector<inventory::Target> targets = call.run.resolve(call.arguments[0]);
    call.run.inventory().add_to_group(targets, call.text(1));
    std::vector<Value> values;
    for (const inventory::Target& target : targets) values.push_back(call.run.target_value(target));
    return values;
}

}  // namespace

const Builtin& add_to_group_function() {
    static const Builtin def{
        .name = "add_to_group",
        .doc = "Puts targets into a group.",
        .dispatches = {{.params = {{"Boltlib::TargetSpec", "targets"}, {"String[1]", "group"}},
                        .call = plan_body<do_add_to_group>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
