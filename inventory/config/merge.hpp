#pragma once

#include "support/json/json.hpp"

namespace volley::inventory {

/// Adds `over` to `base`: maps in maps are merged at every depth, everything else is replaced. New keys come
/// last.
void deep_merge(Json& base, const Json& over);

/// The same for the first level only.
void shallow_merge(Json& base, const Json& over);

/// True when the value is, or contains, a map with the key "_plugin".
bool has_references(const Json& value);

}  // namespace volley::inventory
