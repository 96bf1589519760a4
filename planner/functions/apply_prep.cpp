#include "planner/apply/apply_steps.hpp"
#include "planner/functions/plan_function.hpp"

namespace volley::planner {
namespace {

const FunctionOptions& option_names() {
    static const FunctionOptions options{{"_catch_errors", "_required_modules", "_run_as"}, true};
    return options;
}

Value do_apply_prep(PlanCall& call) {
    const Value given = call.has(1) ? call.arguments[1] : Value();
    const ApplyOptions options = apply_options(given, "apply_prep", option_names());
    return object_value(prepare_targets(call.run, call.run.resolve(call.arguments[0]), options, call.at()));
}

}  // namespace

const Builtin& apply_prep_function() {
    static const Builtin def{
        .name = "apply_prep",
        .doc = "Makes targets ready for apply blocks and gathers their facts.",
        .dispatches = {{.params = {{"Boltlib::TargetSpec", "targets"},
                                   {"Hash[String, Data]", "options", Dispatch::Optional}},
                        .call = plan_body<do_apply_prep>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
        .options = option_names(),
    };
    return def;
}

}  // namespace volley::planner
