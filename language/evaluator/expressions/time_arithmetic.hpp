#pragma once

#include "language/syntax/ast.hpp"
#include "language/value.hpp"

namespace volley {

inline bool is_time(const Value& value) { return value.is(Kind::Timespan) || value.is(Kind::Timestamp); }

/// An operator of which at least one side is a Timespan or Timestamp. Spec "Timespan", operators.
Value time_arithmetic(const ast::Binary& node, Value left, Value right);

}  // namespace volley
