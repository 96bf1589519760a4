#include <unistd.h>

#include "planner/functions/plan_function.hpp"

namespace volley::planner {
namespace {

Value do_file_readable(PlanCall& call) {
    const auto found = look_for_plan_file(call.run, call.text(0));
    return found && ::access(found->c_str(), R_OK) == 0;
}

}  // namespace

const Builtin& file_readable_function() {
    static const Builtin def{
        .name = "file::readable",
        .doc = "Whether a file of the controller can be read.",
        .dispatches = {{.params = {{"String[1]", "filename"}},
                        .returns = "Boolean",
                        .call = plan_body<do_file_readable>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
