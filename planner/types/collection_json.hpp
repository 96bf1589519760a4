#pragma once

#include <optional>

#include "language/value.hpp"
#include "support/json/json.hpp"

namespace volley::planner {

/// A list or a hash as JSON, its items made by `each` and its keys their texts; nullopt for other values.
std::optional<Json> collection_json(const Value& value, Json (*each)(const Value&));

}  // namespace volley::planner
