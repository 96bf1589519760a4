#pragma once

#include "language/value.hpp"

namespace volley {

/// Whether a value matches an option as in a case expression: by type, regular expression, version range, or
/// equality; lists and hashes item by item. Leaves no $0 behind.
bool case_matches(const Value& value, const Value& option);

}  // namespace volley
