#pragma once

#include <vector>

#include "language/value.hpp"

namespace volley {

/// Appends the value, or of a list its items and those of the lists in it.
void flatten_into(const Value& value, std::vector<Value>& out);

/// The value, or of a list its items and those of the lists in it.
std::vector<Value> flattened(const Value& value);

}  // namespace volley
