#pragma once

#include <string>

#include "support/json/json.hpp"

namespace volley {

/// `value` as block-style YAML that reads back as the same data: lists are not indented below their key, as
/// Ruby writes them (OUT-026). Ends with a newline.
std::string to_yaml(const Json& value);

}  // namespace volley
