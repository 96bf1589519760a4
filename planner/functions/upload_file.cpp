#include "planner/functions/plan_function.hpp"
#include "planner/plan/rollout_options.hpp"

namespace volley::planner {
namespace {

Value do_upload_file(PlanCall& call) {
    const StepOptions options = step_options(call, 3);
    const std::filesystem::path source = find_plan_file(call, call.text(0), true);
    UploadAction upload{source, call.text(1)};
    return run_step(call, std::move(upload), call.run.resolve(call.arguments[2]), options, "upload_file",
                    call.text(0));
}

}  // namespace

const Builtin& upload_file_function() {
    static const Builtin def{
        .name = "upload_file",
        .doc = "Copies a file or folder of the controller to targets.",
        .dispatches = step_dispatches({{"String[1]", "source"}, {"String[1]", "destination"}},
                                      plan_body<do_upload_file>),
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
        .options = FunctionOptions{with_rollout_options({"_catch_errors", "_description", "_run_as"})},
        .file = FileArgument{0, "files", true},
    };
    return def;
}

}  // namespace volley::planner
