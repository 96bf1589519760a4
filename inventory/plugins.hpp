#pragma once

#include <memory>
#include <string>

#include "support/json/json.hpp"

namespace volley::inventory {

class PuppetDb;
enum class Hook;

/// The interface to reference plugins ({"_plugin": name, ...}, section 9). The inventory asks; the program
/// decides what it stands for.
class Plugins {
public:
    virtual ~Plugins() = default;
    /// The value that stands for `reference`. May block (a prompt). Throws Error bolt/unknown-plugin,
    /// bolt/plugin-error, bolt/validation-error.
    virtual Json resolve(const Json& reference) = 0;
    /// True when resolve() may be called with this reference on several threads at once, and the order of
    /// such calls does not matter to anybody.
    virtual bool may_overlap(const Json& /*reference*/) const { return false; }
    /// False when the answer to this reference is data: what looks like a reference in it stays as it is,
    /// because machines and services that the user does not control have a say in it.
    virtual bool answers_with_references(const Json& /*reference*/) const { return true; }
    /// The task that the plugin of a module runs on a target for `hook`. `parameters` holds the options of
    /// the hook, and after it what the task gets: the plugin's configuration below them, without options that
    /// begin with '_' (PLG-011). Throws Error bolt/unknown-plugin, bolt/unsupported-hook,
    /// bolt/invalid-plugin-data, bolt/validation-error; always bolt/unknown-plugin when there are no plugins
    /// of modules.
    virtual std::string hook_task(const std::string& plugin, Hook hook, Json& parameters);
    /// PuppetDB as the configuration describes it, for --query and for plans. `instance`: a name of
    /// puppetdb-instances; empty: the default one. The same object every time, so that a server that failed
    /// is not asked again. Throws Error bolt/puppetdb-error; always when there are no plugins with a
    /// configuration.
    virtual std::shared_ptr<PuppetDb> puppetdb(const std::string& instance);
};

/// The plugins of the program alone (plugins/registry.def), without configuration, modules and tasks;
/// relative paths start in the working directory. Any other name is bolt/unknown-plugin.
std::unique_ptr<Plugins> make_builtin_plugins(const struct ProcessContext& process);

}  // namespace volley::inventory
