#include "planner/apply/puppet_library_hook.hpp"

#include <nlohmann/json.hpp>
#include <system_error>

#include "support/error.hpp"
#include "support/files.hpp"
#include "support/json/json_reader.hpp"
#include "support/json/json_text.hpp"
#include "support/text.hpp"
#include "tasks/parameters.hpp"

namespace volley::planner {
namespace {

/// The task that a module's bolt_plugin.json names for the hook, or the one called like the hook.
std::string task_of_module_plugin(PlanRun& run, const std::string& name) {
    const tasks::Module* module = run.library().find_module(name);
    const std::filesystem::path file = module ? module->path / "bolt_plugin.json" : std::filesystem::path();
    std::error_code ignored;
    if (!module || !std::filesystem::exists(file, ignored))
        throw Error("bolt/unknown-plugin",
                    "Unknown plugin: '" + name + "'." + did_you_mean(name, run.library().module_names()));
    const Json data = try_parse_json(read_file(file, "plugin data"));
    if (data.is_object() && data.contains("hooks") && data["hooks"].is_object()) {
        const auto hook = data["hooks"].find("puppet_library");
        if (hook != data["hooks"].end() && hook->is_object()) return text_in(*hook, "task");
    }
    return name + "::puppet_library";
}

/// What the project's `plugins` says for a plugin, where the task has such parameters (PLG-011).
Json configured_parameters(PlanRun& run, const std::string& plugin, const tasks::TaskDefinition& task) {
    Json parameters = Json::object();
    const auto& plugins = run.config().plugins;
    if (!plugins || !plugins->is_object() || !plugins->contains(plugin) || !task.parameters)
        return parameters;
    for (const tasks::Parameter& parameter : *task.parameters) {
        const Json& config = (*plugins)[plugin];
        if (config.is_object() && config.contains(parameter.name))
            parameters[parameter.name] = config[parameter.name];
    }
    return parameters;
}

}  // namespace

PuppetLibraryHook puppet_library_hook(PlanRun& run, const inventory::Target& target) {
    const Json hooks = target.plugin_hooks();
    if (!hooks.contains("puppet_library") || !hooks["puppet_library"].is_object())
        throw Error("bolt/unsupported-hook",
                    "The target " + target.safe_name() + " has no puppet_library hook");
    const Json& options = hooks["puppet_library"];
    const std::string plugin = text_in(options, "plugin");
    std::string task_name;
    Json parameters = Json::object();
    if (plugin == "task") {
        task_name = text_in(options, "task");
        if (task_name.empty())
            throw Error("bolt/validation-error", "Task plugin requires that the 'task' is specified");
        if (options.contains("parameters")) parameters = options["parameters"];
    } else {
        task_name = task_of_module_plugin(run, plugin);
    }
    const auto task = run.library().find_task(task_name);
    if (plugin != "task") {
        parameters = configured_parameters(run, plugin, *task);
        for (const auto& [name, value] : options.items()) {
            if (name != "plugin" && !name.starts_with('_')) parameters[name] = value;
        }
    }
    return {task, tasks::check_arguments(*task, parameters, false, run.library()),
            task_name + parameters.dump()};
}

}  // namespace volley::planner
