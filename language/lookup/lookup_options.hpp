#pragma once

#include <string>
#include <utility>
#include <vector>

#include "language/text/regexp.hpp"
#include "language/value.hpp"

namespace volley::lookup {

/// The merged lookup_options that hold for the keys of one module (or of none): by key, and by pattern.
class LookupOptions {
public:
    LookupOptions() = default;
    /// `options` is a hash, or undef. Throws EvalError for a pattern that is not a regular expression.
    explicit LookupOptions(const Value& options);
    /// What holds for a root key: its own entry, else that of the first pattern that matches; nullptr: none.
    const Value* find(const std::string& key) const;

    /// Throws LookupError unless the options are a hash and, for a module's own, all keys belong to it.
    static void check(const Value& options, const std::string& module);

private:
    Value by_key_;  // a hash, or undef
    std::vector<std::pair<Ref<const Regexp>, Value>> patterns_;
};

}  // namespace volley::lookup
