#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "inventory/state.hpp"

namespace volley::inventory {

/// Throws Error bolt.inventory/validation-error for a text that other programs would take as an operation on
/// targets: "~web", "^web1", "@web". It means nothing here, so nothing may run because of it.
void refuse_operator(std::string_view name);

/// Throws Error bolt.inventory/validation-error when a name that the inventory does not have may not be used.
void require_adhoc_allowed(const Inventory::State& state, std::string_view name, UnknownNames unknown);

/// "'wbe' is not in inventory.yaml; did you mean the group 'web'?"
std::string not_in_inventory(const Inventory::State& state, std::string_view name);
/// The same for a host that could not be reached; nullopt when it was surely meant: an address, or a name
/// with a user or port that is like none of the inventory's.
std::optional<std::string> adhoc_hint(const Inventory::State& state, std::string_view name,
                                      std::string_view host);

}  // namespace volley::inventory
