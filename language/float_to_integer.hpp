#pragma once

#include <cstdint>

namespace volley {

/// The number without its fraction. Throws EvalError for what does not fit into 64 bits, or is not a number
/// (NaN): to convert that is undefined in C++. Ruby's numbers have no end; ours do (docs/differences.md).
std::int64_t whole_number(double number);

/// Nanoseconds of so many seconds. Throws EvalError for times beyond 292 years.
std::int64_t nanoseconds_of(std::int64_t seconds);
std::int64_t nanoseconds_of(double seconds);

}  // namespace volley
