#include "planner/plan/plan_creator.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>
#include <vector>

#include "support/error.hpp"
#include "support/files.hpp"
#include "support/text.hpp"
#include "tasks/metadata.hpp"

namespace volley::planner {
namespace {

namespace fs = std::filesystem;

/// The file below plans/ without its extension.
fs::path creator_stem(const std::vector<std::string>& segments) {
    fs::path stem;
    for (std::size_t i = 1; i < segments.size(); ++i) stem /= segments[i];
    return segments.size() == 1 ? fs::path("init") : stem;
}

void check_plan_name(const inventory::Project& project, const std::string& name,
                     const std::vector<std::string>& segments) {
    if (!project.name) {
        throw Error(
            "bolt/unnamed-project-error",
            "Project directory '" + project.path.string() +
                "' is not a named project. Unable to create a project-level plan. To name a project, set the "
                "'name' key in the 'bolt-project.yaml' configuration file.");
    }
    if (!std::all_of(segments.begin(), segments.end(),
                     [](const auto& one) { return tasks::is_plain_name(one); })) {
        throw Error("bolt/validation-error",
                    "Invalid plan name '" + name +
                        "'. Plan names are segments separated by double colons '::'; each begins with a "
                        "lowercase letter "
                        "and holds only lowercase letters, digits and underscores, such as '" +
                        *project.name + "' or '" + *project.name + "::my_plan'.");
    }
    if (segments.front() != *project.name) {
        throw Error("bolt/validation-error",
                    "Incomplete plan name: A plan name must be prefixed with the name of the project or "
                    "module. Did you "
                    "mean '" +
                        *project.name + "::" + name + "'?");
    }
}

std::string yaml_template(const NewPlan& plan) {
    std::string text =
        "# A plan in YAML: its steps run from top to bottom.\n"
        "description: A plan created with volley plan new\n\n"
        "parameters:\n"
        "  targets:\n"
        "    type: TargetSpec\n"
        "    description: The targets to run on\n";
    if (plan.script) {
        return text + "\nsteps:\n  - name: run_script\n    script: " + *plan.script +
               "\n    targets: $targets\n\n# What the plan returns.\nreturn: $run_script\n";
    }
    return text + "    default: localhost\n\nsteps:\n  - message: Hello from " + plan.name +
           "\n  - name: command_step\n    command: whoami\n    targets: $targets\n\n"
           "# What the plan returns.\nreturn: $command_step\n";
}

std::string puppet_template(const NewPlan& plan) {
    const std::string head =
        "# @summary A plan created with volley plan new.\n# @param targets The targets to run on.\nplan " +
        plan.name + " (\n  TargetSpec $targets";
    if (plan.script) return head + "\n) {\n  return run_script('" + *plan.script + "', $targets)\n}\n";
    return head + " = \"localhost\"\n) {\n  out::message(\"Hello from " + plan.name +
           "\")\n  $command_result = run_command('whoami', $targets)\n  return $command_result\n}\n";
}

}  // namespace

fs::path create_plan(const inventory::Project& project, const NewPlan& wanted) {
    const std::vector<std::string> segments = split(wanted.name, "::");
    check_plan_name(project, wanted.name, segments);
    const fs::path stem = project.path / "plans" / creator_stem(segments);
    for (const char* extension : {".pp", ".yaml"}) {
        const fs::path path = stem.string() + extension;
        std::error_code ignored;
        if (!fs::exists(path, ignored)) continue;
        throw Error("bolt/existing-plan-error", "A plan with the name '" + wanted.name +
                                                    "' already exists at '" + path.string() +
                                                    "', nothing to do.");
    }
    std::error_code error;
    fs::create_directories(stem.parent_path(), error);
    if (error) {
        throw Error("bolt/existing-file-error", error.message() + "; unable to create plan directory '" +
                                                    stem.parent_path().string() + "'");
    }
    fs::path path = stem.string() + (wanted.puppet ? ".pp" : ".yaml");
    write_file_atomically(path, wanted.puppet ? puppet_template(wanted) : yaml_template(wanted));
    return path;
}

}  // namespace volley::planner
