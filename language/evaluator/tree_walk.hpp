#pragma once

#include "language/evaluator/iterate.hpp"
#include "language/value.hpp"

namespace volley {

/// An iterator over [path, value] of everything in nested collections. `options` is tree_each's hash or null.
/// Throws EvalError for options that exclude each other.
Value tree_sequence(const Value& root, const Value* options);

}  // namespace volley
