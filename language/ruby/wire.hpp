#pragma once

#include "language/types/parse.hpp"
#include "language/value.hpp"
#include "support/json.hpp"

namespace volley {

/// A value on its way to the Ruby worker: data as JSON, everything else as {"__ptype": kind, "__pvalue":
/// content} (worker/values.rb is the other side). Text that is no UTF-8 goes as base64. Throws EvalError for
/// what Ruby code cannot be given (a lambda).
Json to_wire(const Value& value);

/// A value that came from the worker. Types are looked up in `types`.
Value from_wire(const Json& data, TypeLoader& types);

}  // namespace volley
