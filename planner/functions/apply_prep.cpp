#include "planner/functions/plan_function.hpp"
#include "support/error.hpp"

namespace volley::planner {
namespace {

/// The door for apply blocks, which another room opens.
Value do_apply_prep(PlanCall& call) {
    throw Error("volley/not-yet", std::string(call.context.name) + " needs apply blocks, which this version does not have yet (issue 5)");
}

}  // namespace

const Builtin& apply_prep_function() {
    static const Builtin def{
        .name = "apply_prep",
        .doc = "Makes targets ready for apply blocks and gathers their facts.",
        .dispatches = {{.params = {{"Boltlib::TargetSpec", "targets"}, {"Hash[String, Data]", "options", Dispatch::Optional}}, .call = plan_body<do_apply_prep>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
