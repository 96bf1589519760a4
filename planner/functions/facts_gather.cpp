#include "planner/apply/apply_steps.hpp"
#include "planner/functions/plan_function.hpp"

namespace volley::planner {
namespace {

Value do_facts_gather(PlanCall& call) {
    const std::vector<inventory::Target> targets = call.run.resolve(call.arguments[0]);
    return object_value(call.run.result_set(gather_facts(call.run, targets, {}, "facts")));
}

}  // namespace

const Builtin& facts_gather_function() {
    static const Builtin def{
        .name = "facts::gather",
        .doc =
            "Asks targets for their facts, as apply_prep does, but installs nothing. The plan knows them "
            "then; "
            "they are the values of the results, and a target that has none is an error there.",
        .dispatches = {{.params = {{"Boltlib::TargetSpec", "targets"}},
                        .returns = "ResultSet",
                        .call = plan_body<do_facts_gather>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
