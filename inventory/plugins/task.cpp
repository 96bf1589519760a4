#include <nlohmann/json.hpp>

#include "inventory/plugins/plugin.hpp"
#include "support/error.hpp"

namespace volley::inventory::plugins {
namespace {

/// Runs a task on this machine and returns its 'value' (PLG-033).
Json run_reference_task(const PluginContext& context, const Json& options) {
    const std::string task = required_text("Task", options, "task");
    const bool given = is_given(options, "parameters");
    if (given && !options["parameters"].is_object())
        throw Error("bolt/validation-error", "Task plugin: 'parameters' must be of type Hash");
    if (!context.run_task) throw Error("bolt/plugin-error", "plugin tasks are not available here");
    const Json result = context.run_task(task, given ? options["parameters"] : Json::object());
    const auto value = result.find("value");
    // The name of the plugin and of the hook are put before it (PLG-006). The result itself may hold secrets.
    if (value == result.end()) throw Error("bolt/invalid-task-error", "Task result did not return 'value'");
    return *value;
}

}  // namespace

const PluginSpec& task_plugin() {
    static const PluginSpec spec{
        "task", {{Hook::ResolveReference, "Run a task as a plugin.", run_reference_task}}, true};
    return spec;
}

}  // namespace volley::inventory::plugins
