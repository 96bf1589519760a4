#include <array>
#include <map>

#include "cli/run/session.hpp"
#include "cli/run/session_plugins.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"

namespace volley::cli {
namespace {

constexpr auto plugin_show_options =
    join_options(context_options, std::to_array<std::string_view>({"color", "format"}));

constexpr auto listed_hooks = std::to_array(
    {inventory::Hook::PuppetLibrary, inventory::Hook::ResolveReference, inventory::Hook::SecretEncrypt,
     inventory::Hook::SecretDecrypt, inventory::Hook::SecretCreateKeys});

/// A module is asked once, wherever it is found first.
std::map<std::string, inventory::ModulePlugin> module_plugins(Session& session) {
    std::map<std::string, inventory::ModulePlugin> found;
    for (const std::filesystem::path& folder : session.library().modulepath()) {
        std::error_code error;
        for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
             at.increment(error)) {
            const std::string module = at->path().filename().string();
            if (auto plugin = find_module_plugin(session.library(), module))
                found.emplace(module, *std::move(plugin));
        }
    }
    return found;
}

/// Lists the plugins by their hooks (CLI-011).
int run_plugin_show(Session& session, const CommandLine&) {
    PluginListing listing;
    listing.modulepath = session.config().modulepath;
    const auto modules = module_plugins(session);
    for (const inventory::Hook hook : listed_hooks) {
        auto& described =
            listing.hooks.emplace_back(inventory::hook_name(hook), std::map<std::string, std::string>())
                .second;
        for (const inventory::PluginSpec* spec : inventory::builtin_plugins()) {
            for (const auto& ability : spec->abilities) {
                if (ability.hook == hook) described.emplace(spec->name, ability.description);
            }
        }
        for (const auto& [name, plugin] : modules) {
            if (const auto task = plugin.hooks.find(hook); task != plugin.hooks.end())
                described.emplace(name, task->second.description);
        }
    }
    session.out().print_plugins(listing);
    return 0;
}

}  // namespace

const Verb& plugin_show_verb() {
    static constexpr Verb verb{
        .noun = "plugin",
        .action = "show",
        .summary = "Show plugins",
        .usage = "plugin show [options]",
        .description = "Lists the plugins of the program and of the project's modules, by what they can do.",
        .guide = "plugins",
        .examples = "volley plugin show",
        .options = plugin_show_options,
        .needs_targets = false,
        .run = run_plugin_show,
    };
    return verb;
}

}  // namespace volley::cli
