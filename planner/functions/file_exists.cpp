#include "planner/functions/plan_function.hpp"

namespace volley::planner {
namespace {

Value do_file_exists(PlanCall& call) { return look_for_plan_file(call.run, call.text(0)).has_value(); }

}  // namespace

const Builtin& file_exists_function() {
    static const Builtin def{
        .name = "file::exists",
        .doc = "Whether a file or folder of the controller exists.",
        .dispatches = {{.params = {{"String[1]", "filename"}},
                        .returns = "Boolean",
                        .call = plan_body<do_file_exists>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
