#include "planner/functions/plan_function.hpp"
#include "support/files.hpp"

namespace volley::planner {
namespace {

Value do_file_read(PlanCall& call) { return read_file(find_plan_file(call, call.text(0), false), "file"); }

}  // namespace

const Builtin& file_read_function() {
    static const Builtin def{
        .name = "file::read",
        .doc = "The content of a file of the controller.",
        .dispatches = {{.params = {{"String[1]", "filename"}},
                        .returns = "String",
                        .call = plan_body<do_file_read>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
        .file = FileArgument{0},
    };
    return def;
}

}  // namespace volley::planner
