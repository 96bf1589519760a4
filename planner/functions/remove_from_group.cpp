#include "planner/functions/plan_function.hpp"

namespace volley::planner {
namespace {

Value do_remove_from_group(PlanCall& call) {
    call.run.inventory().remove_from_group(call.run.resolve(call.arguments[0]), call.text(1));
    return {};
}

}  // namespace

const Builtin& remove_from_group_function() {
    static const Builtin def{
        .name = "remove_from_group",
        .doc = "Removes a target from a group.",
        .dispatches = {{.params = {{"Boltlib::TargetSpec", "target"}, {"String[1]", "group"}},
                        .call = plan_body<do_remove_from_group>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
