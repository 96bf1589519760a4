#pragma once

#include "language/value.hpp"
#include "support/json/json.hpp"

namespace volley {

/// JSON data as a value. Throws EvalError when it is nested too deeply or holds an integer beyond 64 bits.
Value from_json(const Json& json);

/// A value as plain JSON, for people and for programs that expect data: a Sensitive is its redacted text, a
/// type or another rich value its text, a key that is not a string its text.
Json to_json(const Value& value);

}  // namespace volley
