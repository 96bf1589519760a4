#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/yaml/document.hpp"

namespace volley::inventory {

/// Throws Error bolt.inventory/validation-error (INV-022, INV-023): "MESSAGE (file:line:column) for group at
/// [path]", details {path}. `path`: the offending group first, then its parents; may be empty.
[[noreturn]] void throw_validation_error(std::string_view message, yaml::Node at,
                                         const std::vector<std::string>& path);

}  // namespace volley::inventory
