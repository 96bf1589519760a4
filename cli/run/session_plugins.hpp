#pragma once

#include <memory>

#include "inventory/config/config.hpp"
#include "inventory/plugins/plugin_set.hpp"
#include "tasks/library.hpp"

namespace volley::cli {

class Session;

/// The plugins of the session's project: those of the program and those of its modules, whose tasks run on
/// this machine when they are asked.
std::shared_ptr<inventory::PluginSet> make_session_plugins(Session& session);

/// The plugin that a module brings along in bolt_plugin.json; nullopt when it brings none. Throws Error
/// bolt/invalid-plugin-data.
std::optional<inventory::ModulePlugin> find_module_plugin(const tasks::Library& library,
                                                          const std::string& module);

}  // namespace volley::cli
