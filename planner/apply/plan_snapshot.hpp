#pragma once

#include "language/value.hpp"

namespace volley::planner {

/// A copy of a plan's value for code that other threads compile: targets, results and resources in it no
/// longer change. What means nothing outside of the plan (futures, iterators, lambdas) becomes its text. Loop
/// thread only; any thread may use what it returns. Throws EvalError when it is nested too deeply.
Value snapshot(const Value& value);

}  // namespace volley::planner
