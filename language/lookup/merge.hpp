#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "language/value.hpp"

namespace volley::lookup {

class Invocation;

/// How values for one key that several places of a hierarchy have become one. Spec "Merge behaviors".
class MergeStrategy {
public:
    enum class Kind { Default, First, Unique, Hash, Deep, UnconstrainedDeep, ReverseDeep };

    /// From a name, a hash with the key "strategy", or undef, which is Default: the first value counts.
    /// Throws EvalError, in Puppet's words, for unknown strategies and options.
    static std::shared_ptr<const MergeStrategy> from(const Value& merge);

    Kind kind() const noexcept { return kind_; }
    std::string name() const;
    /// The options without the strategy; undef when there are none.
    Value options_without_strategy() const;

    /// Finds the value for each of `count` variants with `find`, those that are needed, and merges them.
    /// nullopt when none has one.
    std::optional<Value> lookup(std::size_t count, Invocation& invocation,
                                const std::function<std::optional<Value>(std::size_t)>& find) const;
    /// `first` has the higher priority. Throws EvalError for values that the strategy cannot merge.
    Value merge(const Value& first, const Value& second) const;

private:
    MergeStrategy(Kind kind, Value options) : kind_(kind), options_(std::move(options)) {}
    Value convert(const Value& value) const;
    bool takes_first() const noexcept { return kind_ == Kind::Default || kind_ == Kind::First; }

    Kind kind_;
    Value options_;  // a hash, or undef
};

/// The options of a deep merge.
struct DeepMergeOptions {
    std::string knockout_prefix;  // empty: none
    bool sort_merged_arrays = false;
    bool merge_hash_arrays = false;
    bool overwrite_arrays = false;
    bool extend_existing_arrays = false;
    std::string unpack_arrays;  // what joins and splits lists; empty: they are left alone
};

/// `source` merged into `target`, as the Ruby library deep_merge does it; where both have a scalar, the
/// source's counts. Throws EvalError when lists to be sorted hold what has no order.
Value deep_merge(const Value& source, const Value& target, const DeepMergeOptions& options);

}  // namespace volley::lookup
