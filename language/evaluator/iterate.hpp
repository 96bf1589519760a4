#pragma once

#include <functional>
#include <vector>

#include "language/callable.hpp"
#include "language/value.hpp"

namespace volley {

/// Walks over a value as each() does: the items of a list, [key, value] of a hash, characters of a string,
/// 0 up to an integer, the values of an Integer or Enum type, the items of an iterator.
/// `visit` returns false to stop. False when the value cannot be walked over.
bool iterate(const Value& value, const std::function<bool(const Value&)>& visit);
/// All of it at once, as an array. Throws EvalError when the value cannot be walked over.
Value iterate_all(const Value& value);

/// A lazy sequence: reverse_each, step and tree_each without a lambda give one.
class LazySequence : public IteratorObject {
public:
    /// False when `visit` said stop.
    virtual bool walk(const std::function<bool(const Value&)>& visit) const = 0;
    /// True when the items are [key, value] pairs of a hash.
    virtual bool hash_style() const { return false; }
};

/// A walk over `source` that takes every n-th item, or goes backwards.
Value step_sequence(Value source, std::int64_t step);
Value reverse_sequence(Value source);

}  // namespace volley
