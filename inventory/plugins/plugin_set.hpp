#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "inventory/plugins.hpp"
#include "inventory/plugins/cache.hpp"
#include "inventory/plugins/plugin.hpp"

namespace volley::inventory {

/// A plugin that a module brings along: the tasks that do what its hooks promise (PLG-008, PLG-009).
struct ModulePlugin {
    std::string name;
    struct Task {
        std::string name;
        std::string description;
        std::vector<std::string> parameters;  ///< that it declares
        bool declares_parameters = false;
    };
    std::map<Hook, Task> hooks;
};

struct PluginSettings {
    ProcessContext process;
    std::filesystem::path project;
    std::shared_ptr<const Json>
        config;  ///< what `plugins` says: name -> options. May hold references; null: nothing.
                 ///< `puppetdb` and `puppetdb-instances` are the options of the configuration of that name
    std::string puppetdb_instance;      ///< the name of --puppetdb; empty: none
    std::shared_ptr<const Json> cache;  ///< what `plugin-cache` says; null: nothing
    LocalTask run_task;
    /// The plugin of a module, when it has one. Throws Error for a wrong bolt_plugin.json.
    std::function<std::optional<ModulePlugin>(const std::string& name)> module_plugin;
};

/// All plugins of a project: answers references, from the cache when that is wanted, and runs hooks.
/// References that may overlap can be resolved from several threads; everything else is for one.
class PluginSet final : public Plugins {
public:
    explicit PluginSet(PluginSettings settings);

    Json resolve(const Json& reference) override;
    /// True for plugins of the program that neither ask the user nor run tasks, with such plugins in their
    /// options.
    bool may_overlap(const Json& reference) const override;
    bool answers_with_references(const Json& reference) const override;
    /// Throws Error bolt/unknown-plugin, bolt/unsupported-hook, and what the plugin throws.
    Json call(const std::string& plugin, Hook hook, const Json& options);
    std::string hook_task(const std::string& plugin, Hook hook, Json& parameters) override;
    std::shared_ptr<PuppetDb> puppetdb(const std::string& instance) override;

private:
    const Json& config_of(const std::string& plugin);
    Json call_builtin(const PluginSpec& spec, Hook hook, const Json& options);
    const Json* says(const std::string& plugin, const Json& reference, const char* option) const;
    bool wants_references(const std::string& plugin, const Json& reference) const;
    Json kept_or_asked(const std::string& plugin, const Json& reference);
    Json ask(const std::string& plugin, const Json& reference);
    std::optional<ModulePlugin> module_plugin(const std::string& name) const;
    void validate(const std::string& plugin, const Json& options);
    Json hook_parameters(const ModulePlugin& plugin, const ModulePlugin::Task& task, const Json& options);
    Json run_hook_task(const ModulePlugin& plugin, const ModulePlugin::Task& task, const Json& options);
    Json call_module(const ModulePlugin& plugin, Hook hook, const Json& options);

    PluginSettings settings_;
    PluginCache cache_;
    std::mutex cache_mutex_;
    /// Held while a plugin's configuration is resolved, which may call plugins again, and by plugins that
    /// work alone.
    std::recursive_mutex mutex_;
    std::map<std::string, std::shared_ptr<const Json>> configs_;  // with references resolved
    std::map<std::string, std::shared_ptr<PuppetDb>> databases_;
    std::set<std::string> resolving_;
};

}  // namespace volley::inventory
