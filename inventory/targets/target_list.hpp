#pragma once

#include <string_view>
#include <vector>

#include "inventory/inventory.hpp"

namespace volley::inventory {

/// The names in a list of targets. White space and commas separate; on the command line not inside brackets
/// and braces (ARG-005, INV-064). Empty pieces are dropped.
std::vector<std::string_view> split_targets(std::string_view list, TargetSyntax syntax);

/// The same, with the ranges of plans in one piece: "web[1,3-5]" is one term there too.
std::vector<std::string_view> split_terms(std::string_view list, TargetSyntax syntax);

/// "!x", "-x" and "&x" take targets away from those that the rest of the list names.
bool is_narrowing(std::string_view term) noexcept;
/// "@rerun:failure", "@last:ok".
bool is_set_name(std::string_view term) noexcept;

}  // namespace volley::inventory
