#pragma once

#include <string_view>
#include <vector>

#include "inventory/groups/group_tree.hpp"
#include "inventory/inventory.hpp"

namespace volley::inventory {

/// Members of the groups, targets and aliases whose names a pattern matches (INV-063, INV-064). Throws Error
/// bolt.inventory/wildcard-error for a pattern with too many alternatives.
std::vector<TargetId> matching(const GroupTree& tree, std::string_view pattern, TargetSyntax syntax);

/// Text such as [::1]:22 has a pattern's characters but is an address (INV-051).
bool is_bracketed_address(std::string_view text);
/// A pattern that is a URI is taken literally (INV-062).
bool has_scheme(std::string_view text);

}  // namespace volley::inventory
