#pragma once

#include "language/value.hpp"

namespace volley {

/// A Timespan from a text in one of the usual formats, or from a hash of its parts. Throws EvalError.
Value timespan_from(const Value& given);
/// A Timestamp from a text in one of the usual formats. Throws EvalError.
Value timestamp_from(const Value& given);

}  // namespace volley
