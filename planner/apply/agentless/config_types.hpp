#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "planner/apply/applier.hpp"

namespace volley::planner {

/// What the agent has to know of a type that a module makes of the settings of one certain file, such as
/// nova_config: {"base": "config_setting", "path": "/etc/nova/nova.conf", ...}. `type` and `provider`: the
/// Ruby of both; `provider_of`: that of another type's provider, which this one may inherit. nullopt when
/// there is anything in it that the agent's config_setting does not do.
using ProviderOf = std::function<std::optional<std::string>(const std::string& type)>;
std::optional<Json> config_type(std::string_view name, std::string_view type, std::string_view provider,
                                const ProviderOf& provider_of = {});

/// The catalog with "module_types": what the modules' code says of those types; and with "other_types": those
/// that a resource of the type `resources` names, and that exist. The same catalog when it has none of them.
/// Reads files.
std::shared_ptr<const CompiledCatalog> with_config_types(std::shared_ptr<const CompiledCatalog> catalog);

}  // namespace volley::planner
