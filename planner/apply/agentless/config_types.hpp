#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "planner/apply/applier.hpp"

namespace volley::planner {

/// What the agent has to know of a type that a module makes of the settings of one certain file, such as
/// nova_config: {"base": "config_setting", "path": "/etc/nova/nova.conf", ...}. `type` and `provider`: the
/// Ruby of both. nullopt when there is anything in it that the agent's config_setting does not do.
std::optional<Json> config_type(std::string_view name, std::string_view type, std::string_view provider);

/// The catalog with "module_types": what the modules' code says of those types. The same catalog when it has
/// none of them. Reads files.
std::shared_ptr<const CompiledCatalog> with_config_types(std::shared_ptr<const CompiledCatalog> catalog);

}  // namespace volley::planner
