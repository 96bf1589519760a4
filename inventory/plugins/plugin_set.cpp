#include "inventory/plugins/plugin_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "inventory/config/merge.hpp"
#include "inventory/puppetdb/puppetdb.hpp"
#include "inventory/references.hpp"
#include "support/error.hpp"
#include "support/log.hpp"
#include "support/text.hpp"

namespace volley::inventory {
namespace {

const PluginSpec* find_builtin_plugin(std::string_view name) {
    const auto& all = builtin_plugins();
    const auto at = std::ranges::find_if(all, [name](const PluginSpec* spec) { return spec->name == name; });
    return at == all.end() ? nullptr : *at;
}

double seconds_since_1970() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

[[noreturn]] void throw_unsupported(const std::string& plugin, Hook hook) {
    throw Error("bolt/unsupported-hook",
                fmt::format("Plugin {} does not support {}", plugin, hook_name(hook)));
}

[[noreturn]] void throw_unknown(const std::string& plugin) {
    std::vector<std::string> names;
    for (const PluginSpec* spec : builtin_plugins()) names.emplace_back(spec->name);
    const std::string meant = did_you_mean(plugin, names);
    throw Error("bolt/unknown-plugin",
                fmt::format("Unknown plugin: '{}'{}{}", plugin, meant.empty() ? "" : ".", meant));
}

/// Mistakes in a reference say so themselves; whatever else goes wrong names the plugin (PLG-006).
bool explains_itself(const std::string& kind) {
    return kind == "bolt/validation-error" || kind == "bolt/invalid-plugin-data" ||
           kind == "bolt/unknown-plugin" || kind == "bolt/unknown-task" || kind == "bolt/unsupported-hook" ||
           kind == "bolt/plugin-error" || kind == "bolt/recursive-reference-loop";
}

constexpr const char* resolve_option = "_resolve";

/// A user who has moved from Bolt learns what has become of the references in included files.
void warn_of_kept_references(const std::string& plugin, const Json& answer) {
    if (!has_references(answer)) return;
    log_warning_once(
        "plugin_references_in_answer", "inventory",
        fmt::format("The answer of the plugin '{}' has a map with the key _plugin, which is treated as data. "
                    "If you trust its source, add '{}: true' to the reference.",
                    plugin, resolve_option));
}

/// The configuration of a plugin has only keys that its tasks take as parameters (PLG-010).
void check_module_config(const ModulePlugin& plugin, const Json& config) {
    for (const auto& [key, value] : config.items()) {
        const bool declared = std::ranges::any_of(plugin.hooks, [&name = key](const auto& hook) {
            return std::ranges::find(hook.second.parameters, name) != hook.second.parameters.end();
        });
        if (declared || key == resolve_option) continue;
        throw Error("bolt/validation-error",
                    fmt::format("Config for {} plugin contains unexpected key {}", plugin.name, key));
    }
}

std::string_view type_name(PluginSpec::Option::Type type) {
    using Type = PluginSpec::Option::Type;
    if (type == Type::Integer) return "Integer";
    if (type == Type::Boolean) return "Boolean";
    return type == Type::Hash ? "Hash" : "String";
}

bool has_type(const Json& value, PluginSpec::Option::Type type) {
    using Type = PluginSpec::Option::Type;
    if (type == Type::Any || value.is_null()) return true;
    if (type == Type::Integer) return value.is_number_integer();
    if (type == Type::Boolean) return value.is_boolean();
    return type == Type::Hash ? value.is_object() : value.is_string();
}

/// PLG-010 and PLG-013 for what are tasks of modules in Bolt: a misspelt option is an error, and one of a
/// wrong type does not count as missing. The message never shows a value.
void check_builtin_options(const PluginSpec& spec, const Json& given, bool configuration) {
    const std::vector<PluginSpec::Option>& options =
        configuration || spec.reference_options.empty() ? spec.options : spec.reference_options;
    if (options.empty() || !given.is_object()) return;
    for (const auto& [key, value] : given.items()) {
        if (key.starts_with('_')) continue;
        const auto option = std::ranges::find(options, key, &PluginSpec::Option::name);
        if (option == options.end()) {
            std::vector<std::string> names;
            for (const PluginSpec::Option& known : options) names.emplace_back(known.name);
            const std::string meant = did_you_mean(key, names);
            const std::string fault =
                configuration ? fmt::format("Config for {} plugin contains unexpected key {}", spec.name, key)
                              : fmt::format("{} plugin has no option '{}'", spec.name, key);
            throw Error("bolt/validation-error", fault + (meant.empty() ? "" : ".") + meant);
        }
        if (has_type(value, option->type)) continue;
        throw Error("bolt/validation-error", fmt::format("{} plugin: '{}' must be of type {}", spec.name, key,
                                                         type_name(option->type)));
    }
}

}  // namespace

std::string Plugins::hook_task(const std::string& plugin, Hook, Json&) { throw_unknown(plugin); }

std::shared_ptr<PuppetDb> Plugins::puppetdb(const std::string&) {
    throw Error("bolt/puppetdb-error", "server_urls must be specified: PuppetDB is not configured here");
}

PluginSet::PluginSet(PluginSettings settings)
    : settings_(std::move(settings)), cache_(settings_.project / ".plugin_cache.json", seconds_since_1970) {}

/// PLG-010. What the configuration says for a plugin, whose own references are resolved when it is first
/// used.
const Json& PluginSet::config_of(const std::string& plugin) {
    const std::lock_guard lock(mutex_);
    const auto known = configs_.find(plugin);
    if (known != configs_.end()) return *known->second;
    if (!resolving_.insert(plugin).second) {
        throw Error("bolt/plugin-error",
                    fmt::format("Configuration for plugin '{}' depends on the plugin itself", plugin));
    }
    Json config = Json::object();
    if (settings_.config && settings_.config->contains(plugin)) {
        try {
            const ReferenceContext context{
                config_place("plugins." + plugin), nullptr,
                true};  // other threads would wait for the mutex that this one holds
            config = resolve_references((*settings_.config)[plugin], *this, context);
        } catch (...) {
            resolving_.erase(plugin);
            throw;
        }
    }
    resolving_.erase(plugin);
    return *configs_.emplace(plugin, std::make_shared<const Json>(std::move(config))).first->second;
}

std::optional<ModulePlugin> PluginSet::module_plugin(const std::string& name) const {
    return settings_.module_plugin ? settings_.module_plugin(name) : std::nullopt;
}

/// The configuration of the plugin below the options of the reference or hook (PLG-011).
Json PluginSet::hook_parameters(const ModulePlugin& plugin, const ModulePlugin::Task& task,
                                const Json& options) {
    Json parameters = Json::object();
    const Json& config = config_of(plugin.name);
    check_module_config(plugin, config);
    for (const auto& [key, value] : config.items()) {
        if (key == resolve_option) continue;
        if (!task.declares_parameters || std::ranges::find(task.parameters, key) != task.parameters.end())
            parameters[key] = value;
    }
    for (const auto& [key, value] : options.items()) {
        if (!key.starts_with('_')) parameters[key] = value;
    }
    return parameters;
}

Json PluginSet::run_hook_task(const ModulePlugin& plugin, const ModulePlugin::Task& task,
                              const Json& options) {
    Json parameters = hook_parameters(plugin, task, options);
    parameters["_boltdir"] = settings_.project.string();
    if (!settings_.run_task) throw Error("bolt/plugin-error", "plugin tasks are not available here");
    return settings_.run_task(task.name, parameters);
}

std::string PluginSet::hook_task(const std::string& plugin, Hook hook, Json& parameters) {
    if (find_builtin_plugin(plugin)) throw_unsupported(plugin, hook);
    const std::lock_guard lock(mutex_);
    const auto module = module_plugin(plugin);
    if (!module) throw_unknown(plugin);
    const auto found = module->hooks.find(hook);
    if (found == module->hooks.end()) throw_unsupported(plugin, hook);
    parameters = hook_parameters(*module, found->second, parameters);
    return found->second.name;
}

/// The task by which a module refuses references that are wrong; its error is shown as it is (PLG-013).
void PluginSet::validate(const std::string& plugin, const Json& options) {
    if (find_builtin_plugin(plugin)) return;
    const std::lock_guard lock(mutex_);
    const auto module = module_plugin(plugin);
    if (!module) return;
    const auto task = module->hooks.find(Hook::ValidateResolveReference);
    if (task != module->hooks.end()) run_hook_task(*module, task->second, options);
}

/// Runs the task of a hook; its result needs a 'value' (PLG-012).
Json PluginSet::call_module(const ModulePlugin& plugin, Hook hook, const Json& options) {
    const auto found = plugin.hooks.find(hook);
    if (found == plugin.hooks.end()) throw_unsupported(plugin.name, hook);
    const Json result = run_hook_task(plugin, found->second, options);
    const auto value = result.find("value");
    if (value == result.end()) {
        throw Error("bolt/plugin-error",
                    fmt::format("Error executing plugin {} from {}: Plugin {} result did not include a value",
                                plugin.name, hook_name(hook), plugin.name));
    }
    return *value;
}

Json PluginSet::call_builtin(const PluginSpec& spec, Hook hook, const Json& options) {
    const std::string name(spec.name);
    const auto ability = std::ranges::find(spec.abilities, hook, &PluginSpec::Ability::hook);
    if (ability == spec.abilities.end()) throw_unsupported(name, hook);
    Json all = config_of(name);
    check_builtin_options(spec, all, true);
    check_builtin_options(spec, options, false);
    all.update(options);
    std::unique_lock lock(mutex_, std::defer_lock);
    if (spec.alone) lock.lock();
    return ability->call(PluginContext{settings_.process, settings_.project, settings_.run_task}, all);
}

Json PluginSet::call(const std::string& plugin, Hook hook, const Json& options) {
    if (const PluginSpec* spec = find_builtin_plugin(plugin)) return call_builtin(*spec, hook, options);
    const std::lock_guard lock(mutex_);
    if (const auto module = module_plugin(plugin)) return call_module(*module, hook, options);
    throw_unknown(plugin);
}

std::shared_ptr<PuppetDb> PluginSet::puppetdb(const std::string& instance) {
    std::shared_ptr<PuppetDb>& database = databases_[instance];
    if (!database) {
        Json config = config_of("puppetdb");
        if (!config.is_object()) config = Json::object();
        config["instances"] = config_of("puppetdb-instances");
        if (!settings_.puppetdb_instance.empty()) config["default"] = settings_.puppetdb_instance;
        database = std::make_shared<PuppetDb>(config, instance, settings_.process, settings_.project);
    }
    return database;
}

/// A failure of a plugin becomes bolt/plugin-error with its message (PLG-006).
Json PluginSet::ask(const std::string& plugin, const Json& reference) {
    Json options = reference;
    options.erase("_plugin");
    options.erase("_cache");
    options.erase(resolve_option);
    validate(plugin, options);
    std::string reason;
    try {
        return call(plugin, Hook::ResolveReference, options);
    } catch (const Error& error) {
        if (explains_itself(error.info().kind())) throw;
        reason = error.what();
    } catch (const Json::exception&) {
        reason = "the answer does not have the form that was expected";  // the library's text would show
                                                                         // parts of it
    }
    throw Error("bolt/plugin-error", fmt::format("Error executing plugin {} from resolve_reference in {}: {}",
                                                 plugin, plugin, reason));
}

Json PluginSet::resolve(const Json& reference) {
    const std::string plugin = plugin_text(reference, "_plugin");
    const PluginSpec* const spec = find_builtin_plugin(plugin);
    const bool as_data = !wants_references(plugin, reference);
    Json answer = kept_or_asked(plugin, reference);
    const bool could_ask =
        !says(plugin, reference, "target_mapping") && (!spec || spec->answers == Answers::OnRequest);
    if (as_data && could_ask) warn_of_kept_references(plugin, answer);
    return answer;
}

/// An option of the reference, else of the plugin's configuration, as written there.
const Json* PluginSet::says(const std::string& plugin, const Json& reference, const char* option) const {
    if (const auto own = reference.find(option); own != reference.end()) return &*own;
    if (!settings_.config) return nullptr;
    const auto config = settings_.config->find(plugin);
    if (config == settings_.config->end() || !config->is_object()) return nullptr;
    const auto general = config->find(option);
    return general == config->end() ? nullptr : &*general;
}

/// True for `_resolve: true`. Throws Error when that cannot be honoured: it must not be passed over.
bool PluginSet::wants_references(const std::string& plugin, const Json& reference) const {
    const Json* const option = says(plugin, reference, resolve_option);
    if (!option) return false;
    if (!option->is_boolean())
        throw Error("bolt/validation-error",
                    fmt::format("{} must be true or false, received {}", resolve_option, option->dump()));
    if (!option->get<bool>()) return false;
    const PluginSpec* const spec = find_builtin_plugin(plugin);
    if (spec && spec->answers == Answers::OfMachines) {
        throw Error(
            "bolt/validation-error",
            fmt::format(
                "{} cannot be used with the plugin {}: what machines report about themselves is always data",
                resolve_option, plugin));
    }
    if (!says(plugin, reference, "target_mapping")) return true;
    if (!reference.contains(resolve_option)) return false;
    throw Error("bolt/validation-error",
                fmt::format("{} cannot be used with target_mapping: mapped elements are always data",
                            resolve_option));
}

bool PluginSet::answers_with_references(const Json& reference) const {
    const std::string plugin = plugin_text(reference, "_plugin");
    const PluginSpec* const spec = find_builtin_plugin(plugin);
    if (!spec || spec->answers != Answers::OfTheUser) return wants_references(plugin, reference);
    // The default of env_var, for one, may be the answer of another plugin.
    return std::ranges::none_of(reference, has_references);
}

Json PluginSet::kept_or_asked(const std::string& plugin, const Json& reference) {
    const double lifetime = PluginCache::lifetime(reference, settings_.cache ? *settings_.cache : Json());
    if (lifetime <= 0) return ask(plugin, reference);
    {
        const std::lock_guard lock(cache_mutex_);
        if (auto kept = cache_.find(reference)) return *std::move(kept);
    }
    Json answer = ask(plugin, reference);
    const std::lock_guard lock(cache_mutex_);
    cache_.store(reference, answer, lifetime);
    return answer;
}

bool PluginSet::may_overlap(const Json& reference) const {
    if (!reference.is_structured()) return true;
    if (reference.is_object() && reference.contains("_plugin")) {
        const PluginSpec* spec = find_builtin_plugin(plugin_text(reference, "_plugin"));
        if (!spec || spec->alone) return false;
    }
    return std::ranges::all_of(reference, [this](const Json& part) { return may_overlap(part); });
}

std::unique_ptr<Plugins> make_builtin_plugins(const ProcessContext& process) {
    PluginSettings settings;
    settings.process = process;
    settings.project = process.working_directory;
    return std::make_unique<PluginSet>(std::move(settings));
}

}  // namespace volley::inventory
