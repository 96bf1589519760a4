#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "language/value.hpp"

namespace volley {

/// The segments of a dotted key: names in quotes may hold dots, whole numbers become integers.
/// Throws EvalError with `message` when a quote or a segment is missing.
std::vector<Value> split_lookup_key(std::string_view key, std::string_view message);

}  // namespace volley
