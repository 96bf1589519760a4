#include "cli/run/session_plugins.hpp"

#include <nlohmann/json.hpp>

#include "cli/run/session.hpp"
#include "inventory/inventory.hpp"
#include "planner/executor.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/json/json_reader.hpp"
#include "support/log.hpp"
#include "tasks/parameters.hpp"
#include "transports/runtime.hpp"

namespace volley::cli {
namespace {

[[noreturn]] void throw_invalid_plugin_data(const std::string& module, const std::string& problem) {
    throw Error("bolt/invalid-plugin-data", "Invalid Plugin Data for " + module + ": " + problem);
}

std::optional<inventory::ModulePlugin::Task> hook_task(const tasks::Library& library,
                                                       const std::string& name) {
    std::shared_ptr<const tasks::TaskDefinition> found;
    try {
        found = library.find_task(name);
    } catch (const Error& error) {
        if (error.info().kind() == "bolt/unknown-task") return std::nullopt;
        throw;
    }
    inventory::ModulePlugin::Task task;
    task.name = name;
    task.description = found->description.value_or("");
    task.declares_parameters = found->parameters.has_value();
    if (task.declares_parameters) {
        for (const auto& parameter : *found->parameters) task.parameters.push_back(parameter.name);
    }
    return task;
}

/// PLG-008. The name with a hyphen is easily taken for the right one.
void warn_of_file_name(const tasks::Module& module) {
    std::error_code ignored;
    const std::filesystem::path file = module.path / "bolt-plugin.json";
    if (!std::filesystem::exists(file, ignored)) return;
    log_warning_once(
        "plugin_file_name", "inventory",
        "The file " + file.string() + " is not read: the data of a plugin belongs into bolt_plugin.json");
}

/// The task that bolt_plugin.json names for a hook; empty when it names none.
std::string named_hook_task(const Json& data, const std::string& module, std::string_view hook) {
    if (!inventory::is_given(data, "hooks")) return {};
    const auto hooks = data.find("hooks");
    if (!hooks->is_object()) throw_invalid_plugin_data(module, "'hooks' must be a hash");
    const auto given = hooks->find(hook);
    if (given == hooks->end()) return {};
    if (!given->is_object() || !given->value("task", Json()).is_string()) {
        throw_invalid_plugin_data(
            module, "Unexpected hook specification " + given->dump() + " for hook " + std::string(hook));
    }
    return (*given)["task"].get<std::string>();
}

/// A machine to run hooks on: this one, as if there were no inventory.
std::unique_ptr<inventory::Inventory> empty_inventory(const Session& session, inventory::Config& config) {
    config.inventory_file = config.project.path / ".no-inventory-for-plugins";
    config.inventory_file_is_default = true;
    inventory::ProcessContext process = session.process();
    process.environment = [all = session.process().environment](std::string_view name) {
        return name == "BOLT_INVENTORY" ? std::nullopt : all(name);
    };
    return inventory::Inventory::load(process, config, inventory::make_builtin_plugins(process));
}

/// PLG-013: what is wrong with parameters is wrong with the reference.
tasks::Arguments check_hook_arguments(const tasks::TaskDefinition& task, const Json& parameters,
                                      const tasks::Library& library) {
    try {
        return tasks::check_arguments(task, parameters, false, library);
    } catch (const Error& error) {
        throw Error("bolt/validation-error", error.what());
    }
}

Json run_hook_task(Session& session, const std::string& name, const Json& parameters) {
    const tasks::Library& library = session.library();
    const auto task = library.find_task(name);
    Json declared = parameters;
    declared.erase("_boltdir");
    tasks::Arguments arguments = check_hook_arguments(*task, declared, library);
    if (parameters.contains("_boltdir"))
        arguments.push_back({"_boltdir", std::make_shared<const Json>(parameters["_boltdir"]), false});
    inventory::Config config = session.config();
    const auto inventory = empty_inventory(session, config);
    transports::Runtime runtime;
    planner::Executor executor(runtime, *inventory, library, planner::ExecutorSettings{});
    const planner::Action action{planner::TaskAction{task, std::move(arguments), false}, {}, {}};
    const planner::ResultSet results = executor.run_blocking(action, {inventory->target("localhost")});
    const planner::Result& result = results.results().at(0);
    if (!result.ok()) {
        throw Error(result.error().value("kind", "bolt/plugin-error"),
                    result.error().value("msg", "the task failed"));
    }
    return result.value();
}

}  // namespace

std::optional<inventory::ModulePlugin> find_module_plugin(const tasks::Library& library,
                                                          const std::string& module) {
    const tasks::Module* found = library.find_module(module);
    if (!found) return std::nullopt;
    const std::filesystem::path file = found->path / "bolt_plugin.json";
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) {
        warn_of_file_name(*found);
        return std::nullopt;
    }
    std::string fault;
    const Json data = try_parse_json(read_file(file, "plugin data"), fault);
    if (data.is_discarded())
        throw_invalid_plugin_data(module, file.string() + " is not valid JSON: " + fault);
    if (!data.is_object()) throw_invalid_plugin_data(module, file.string() + " is not a JSON object");
    if (inventory::is_given(data, "config")) {
        throw_invalid_plugin_data(
            module,
            "Found unsupported key 'config' in bolt_plugin.json. Config for a plugin is inferred "
            "from task parameters, with config values passed as parameters.");
    }
    inventory::ModulePlugin plugin;
    plugin.name = module;
    using inventory::Hook;
    for (const Hook hook : {Hook::PuppetLibrary, Hook::ResolveReference, Hook::SecretEncrypt,
                            Hook::SecretDecrypt, Hook::SecretCreateKeys, Hook::ValidateResolveReference}) {
        const std::string named = named_hook_task(data, module, inventory::hook_name(hook));
        auto task = hook_task(
            library, named.empty() ? module + "::" + std::string(inventory::hook_name(hook)) : named);
        if (task)
            plugin.hooks.emplace(hook, *std::move(task));
        else if (!named.empty())
            throw_invalid_plugin_data(
                module, "Plugin " + module + " specified an unknown task '" + named + "' for a hook");
    }
    return plugin;
}

std::shared_ptr<inventory::PluginSet> make_session_plugins(Session& session) {
    inventory::PluginSettings settings;
    settings.process = session.process();
    settings.project = session.config().project.path;
    Json config = *session.config().plugins;
    if (const auto& raw = session.config().raw) {
        if (raw->contains("plugin-cache"))
            settings.cache = std::make_shared<const Json>((*raw)["plugin-cache"]);
        for (const char* section : {"puppetdb", "puppetdb-instances"})
            config[section] = raw->value(section, Json::object());
    }
    settings.config = std::make_shared<const Json>(std::move(config));
    settings.puppetdb_instance = session.config().puppetdb_instance;
    settings.run_task = [&session](const std::string& name, const Json& parameters) {
        return run_hook_task(session, name, parameters);
    };
    settings.module_plugin = [&session](const std::string& name) {
        return find_module_plugin(session.library(), name);
    };
    return std::make_shared<inventory::PluginSet>(std::move(settings));
}

}  // namespace volley::cli
