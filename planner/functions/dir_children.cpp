#include <algorithm>
#include <filesystem>
#include <system_error>

#include "planner/functions/plan_function.hpp"

namespace volley::planner {
namespace {

/// FN-038: "module/path", absolute, or in the project.
std::filesystem::path children_folder(const PlanCall& call) {
    const std::string& name = call.text(0);
    const std::size_t slash = name.find('/');
    if (const tasks::Module* module = call.run.library().find_module(name.substr(0, slash))) {
        return slash == std::string::npos ? module->path : module->path / name.substr(slash + 1);
    }
    return call.run.config().project.path / name;  // an absolute name replaces it
}

Value do_dir_children(PlanCall& call) {
    const std::filesystem::path folder = children_folder(call);
    std::vector<std::string> names;
    std::error_code error;
    auto entry = std::filesystem::directory_iterator(folder, error);
    if (error) fail_as_ruby(error.message() + " @ dir_initialize - " + folder.string());
    for (; entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        names.push_back(entry->path().filename().string());
        if (error) break;
    }
    std::sort(names.begin(), names.end());
    return std::vector<Value>(names.begin(), names.end());
}

}  // namespace

const Builtin& dir_children_function() {
    static const Builtin def{
        .name = "dir::children",
        .doc = "The names in a folder, sorted.",
        .dispatches = {{.params = {{"String", "dirname"}},
                        .returns = "Array",
                        .call = plan_body<do_dir_children>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
