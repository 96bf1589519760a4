#include <filesystem>

#include "planner/functions/plan_function.hpp"
#include "support/files.hpp"
#include "support/files/temporary_folder.hpp"

namespace volley::planner {
namespace {

Value do_write_file(PlanCall& call) {
    StepOptions options = step_options(call, 3);
    std::vector<inventory::Target> targets = call.run.resolve(call.arguments[2]);
    const TemporaryFolder folder("volley-");
    const std::filesystem::path file = folder.path() / "content";
    write_file_atomically(file, call.text(0), 0600);
    options.description = "write file " + call.text(1);
    return run_step(call, UploadAction{file, call.text(1)}, std::move(targets), options, "upload_file",
                    file.string());
}

}  // namespace

const Builtin& write_file_function() {
    static const Builtin def{
        .name = "write_file",
        .doc = "Writes a text to a file on targets.",
        .dispatches = {{.params = {{"String", "content"},
                                   {"String[1]", "destination"},
                                   {"Boltlib::TargetSpec", "targets"},
                                   {"Hash[String[1], Any]", "options", Dispatch::Optional}},
                        .returns = "ResultSet",
                        .call = plan_body<do_write_file>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
        .options = FunctionOptions{{"_catch_errors", "_run_as"}},
    };
    return def;
}

}  // namespace volley::planner
