#include "planner/apply/puppet_library_hook.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "inventory/inventory.hpp"
#include "inventory/plugins/plugin.hpp"
#include "support/error.hpp"
#include "support/json/json_text.hpp"
#include "tasks/parameters.hpp"

namespace volley::planner {
namespace {

/// The task and its parameters as the options of the plugin `task` say them (PLG-015).
PuppetLibraryHook hook_of_task(PlanRun& run, const Json& options) {
    const std::string name = text_in(options, "task");
    if (name.empty())
        throw Error("bolt/validation-error", "Task plugin requires that the 'task' is specified");
    const Json parameters =
        inventory::is_given(options, "parameters") ? options["parameters"] : Json::object();
    try {
        auto task = run.library().find_task(name);
        auto arguments = tasks::check_arguments(*task, parameters, false, run.library());
        return {std::move(task), std::move(arguments), {}, name + parameters.dump()};
    } catch (const Error& error) {
        throw Error("bolt/plugin-error",
                    std::string("Error executing plugin task from puppet_library: ") + error.what());
    }
}

PuppetLibraryHook hook_of_module(PlanRun& run, const std::string& plugin, const Json& options) {
    Json parameters = options;
    parameters.erase("plugin");
    const std::string name = run.inventory().hook_task(plugin, inventory::Hook::PuppetLibrary, parameters);
    auto task = run.library().find_task(name);
    auto arguments = tasks::check_arguments(*task, parameters, false, run.library());
    return {std::move(task), std::move(arguments), {}, name + parameters.dump()};
}

}  // namespace

PuppetLibraryHook puppet_library_hook(PlanRun& run, const inventory::Target& target) {
    const Json hooks = target.plugin_hooks();
    if (!hooks.contains("puppet_library") || !hooks["puppet_library"].is_object())
        throw Error("bolt/unsupported-hook",
                    "The target " + target.safe_name() + " has no puppet_library hook");
    const Json& options = hooks["puppet_library"];
    const std::string plugin = text_in(options, "plugin");
    PuppetLibraryHook hook =
        plugin == "task" ? hook_of_task(run, options) : hook_of_module(run, plugin, options);
    if (const std::string user = text_in(options, "_run_as"); !user.empty()) {
        hook.run_as = user;
        hook.key += " as " + user;
    }
    return hook;
}

}  // namespace volley::planner
