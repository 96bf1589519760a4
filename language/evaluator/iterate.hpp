#pragma once

#include <atomic>
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

/// A lazy sequence: reverse_each, step and tree_each without a lambda return one. It has a cursor, as in
/// Puppet: each(), map() and filter() take items from there on, so that a second map() finds nothing left.
/// Other functions go over all items, unless the sequence can only be gone through once.
class LazySequence : public IteratorObject {
public:
    using Visit = std::function<bool(const Value&)>;
    /// All items; of one that can be gone through once what the cursor has left. False when `visit` said
    /// stop.
    bool walk(const Visit& visit) const { return once_ ? take(visit) : pass(visit); }
    /// The items from the cursor on, which moves on with each. False when `visit` said stop.
    virtual bool take(const Visit& visit) const;
    bool once() const noexcept { return once_; }
    /// How far two numbers of a counted range are apart; below 0 when it is counted down; 0 for other
    /// sequences.
    virtual std::int64_t counting_step() const { return 0; }
    /// True when the items are [key, value] pairs of a hash.
    virtual bool hash_style() const { return false; }

protected:
    explicit LazySequence(bool once) : once_(once) {}

private:
    virtual bool pass(const Visit& visit) const = 0;
    const bool once_;
    mutable std::atomic<std::uint64_t> taken_{0};  // the cursor; values are shared between threads
};

/// A walk over `source` that takes every n-th item, or goes backwards.
Value step_sequence(const Value& source, std::int64_t step);
Value reverse_sequence(const Value& source);

}  // namespace volley
