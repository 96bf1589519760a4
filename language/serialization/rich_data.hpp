#pragma once

#include "language/value.hpp"
#include "support/json/json.hpp"

namespace volley {

/// A value as JSON that loses nothing: data is itself, everything else an object with "__ptype" (and
/// "__pvalue"). Types are given by their text. This is what `volley eval --format json` prints.
Json to_rich_json(const Value& value);

}  // namespace volley
