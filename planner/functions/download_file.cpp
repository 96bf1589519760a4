#include <filesystem>
#include <system_error>

#include "planner/functions/plan_function.hpp"
#include "planner/plan/rollout_options.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

/// FN-007: a name below the project's downloads, and nowhere else.
std::filesystem::path download_destination(const PlanCall& call, std::string_view given) {
    const std::string text(trim(given));
    if (text.empty()) throw Error("bolt/validation-error", "Destination cannot be an empty string");
    const std::filesystem::path path(text);
    if (path.is_absolute()) {
        throw Error("bolt/validation-error",
                    "Destination must be a relative path, received absolute path " + text);
    }
    for (const auto& part : path) {
        if (part != "." && part != "..") continue;
        throw Error("bolt/validation-error", "Destination must not include path traversal, received " + text);
    }
    return call.run.config().project.downloads() / path;
}

/// Compatibility: what an earlier download left there goes away, so that the results are those of this run.
void empty_folder(const std::filesystem::path& folder) {
    std::error_code error;
    for (auto entry = std::filesystem::directory_iterator(folder, error);
         !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        if (entry->path().filename().string().starts_with('.')) continue;
        std::error_code ignored;
        std::filesystem::remove_all(entry->path(), ignored);
    }
}

Value do_download_file(PlanCall& call) {
    const StepOptions options = step_options(call, 3);
    const std::filesystem::path destination = download_destination(call, call.text(1));
    empty_folder(destination);
    DownloadAction download{call.text(0), destination};
    return run_step(call, std::move(download), call.run.resolve(call.arguments[2]), options, "download_file",
                    call.text(0));
}

}  // namespace

const Builtin& download_file_function() {
    static const Builtin def{
        .name = "download_file",
        .doc = "Copies a file or folder from targets into the folder downloads of the project.",
        .dispatches = step_dispatches({{"String[1]", "source"}, {"String[1]", "destination"}},
                                      plan_body<do_download_file>),
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
        .options = FunctionOptions{with_rollout_options({"_catch_errors", "_description", "_run_as"})},
    };
    return def;
}

}  // namespace volley::planner
