#pragma once

#include <string_view>

#include "inventory/config/schema.hpp"
#include "support/json/json.hpp"

namespace volley::inventory {

/// `schema` as a JSON Schema of draft 7, which editors check and complete YAML with (CFG-048).
Json to_json_schema(const Schema& schema, std::string_view title);

}  // namespace volley::inventory
