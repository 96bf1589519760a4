#pragma once

#include <string_view>
#include <vector>

#include "inventory/inventory.hpp"

namespace volley::inventory {

/// The names in a list of targets. White space and commas separate; on the command line not inside brackets
/// and braces (ARG-005, INV-064). Empty pieces are dropped.
std::vector<std::string_view> split_targets(std::string_view list, TargetSyntax syntax);

}  // namespace volley::inventory
