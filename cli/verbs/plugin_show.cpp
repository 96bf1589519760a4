#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/session.hpp"
#include "cli/session_plugins.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

constexpr auto plugin_show_options =
    join_options(context_options, std::to_array<std::string_view>({"format"}));

/// Hook to plugin to description, both in alphabetical order.
using PluginTable = std::map<std::string, std::map<std::string, std::string>>;

PluginTable list_plugins(Session& session) {
    PluginTable table;
    for (const inventory::PluginSpec* spec : inventory::builtin_plugins()) {
        for (const auto& ability : spec->abilities)
            table[std::string(inventory::hook_name(ability.hook))][std::string(spec->name)] =
                ability.description;
    }
    for (const std::filesystem::path& folder : session.library().modulepath()) {
        std::error_code error;
        for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
             at.increment(error)) {
            const std::string module = at->path().filename().string();
            const auto plugin = find_module_plugin(session.library(), module);
            if (!plugin) continue;
            for (const auto& [hook, task] : plugin->hooks)
                table[std::string(inventory::hook_name(hook))].emplace(module, task.description);
        }
    }
    return table;
}

std::string joined_modulepath(Session& session) {
    std::vector<std::string> paths;
    for (const auto& path : session.library().modulepath()) paths.push_back(path.string());
    return join(paths, ":");
}

void print_plugins(Session& session, const PluginTable& table) {
    std::size_t widest = 0;
    for (const auto& [hook, plugins] : table) {
        for (const auto& [name, description] : plugins) widest = std::max(widest, name.size());
    }
    Console& console = session.console();
    for (const auto& [hook, plugins] : table) {
        console.write_line(hook);
        for (const auto& [name, description] : plugins)
            console.write_line("  " + name + std::string(widest + 4 - name.size(), ' ') + description);
        console.write_line("");
    }
    console.write_line("Modulepath\n  " + joined_modulepath(session));
}

/// CLI-011.
int run_plugin_show(Session& session, const CommandLine&) {
    const PluginTable table = list_plugins(session);
    if (session.out().for_people()) {
        print_plugins(session, table);
        return 0;
    }
    Json modulepath = Json::array();
    for (const auto& path : session.library().modulepath()) modulepath.push_back(path.string());
    session.console().write_line(Json{{"plugins", table}, {"modulepath", modulepath}}.dump());
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
        .guide = {},
        .examples = "volley plugin show",
        .options = plugin_show_options,
        .needs_targets = false,
        .run = run_plugin_show,
    };
    return verb;
}

}  // namespace volley::cli
