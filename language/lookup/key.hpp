#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "language/value.hpp"

namespace volley::lookup {

class Invocation;

/// A key as lookup() takes it: a root key, found in the data as it stands, and what to dig for in its value.
/// Spec "Dotted keys": parts in quotes may hold dots, whole numbers are positions in a list.
class LookupKey {
public:
    /// Throws LookupError when quotes or dots make no sense.
    explicit LookupKey(std::string key);

    const std::string& text() const noexcept { return key_; }
    const std::string& root() const noexcept { return root_; }
    /// The module whose data may have it: "apache" of "apache::port"; empty when there is none.
    const std::string& module_name() const noexcept { return module_; }
    const std::vector<Value>& segments() const noexcept { return segments_; }
    bool dotted() const noexcept { return !segments_.empty(); }

    /// The value that the segments lead to; nullopt when one is not there. Throws LookupError for a segment
    /// that asks a value for what it cannot have.
    std::optional<Value> dig(Invocation& invocation, const Value& value) const;
    /// A value such that dig() returns `value`: the reverse of dig.
    Value undig(Value value) const;
    /// The root and the segments as a list.
    Value parts() const;

private:
    std::string key_;
    std::string root_;
    std::string module_;
    std::vector<Value> segments_;
};

/// Splits "a.'b.c'.0". Throws LookupError: "Syntax error " and `where`.
std::vector<Value> split_key(std::string_view key, const std::string& where);

/// Walks from `value` along `segments`; `key` is for messages.
std::optional<Value> dig_segments(const std::string& key, Invocation& invocation,
                                  const std::vector<Value>& segments, Value value);

}  // namespace volley::lookup
