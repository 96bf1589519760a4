#pragma once

#include <optional>
#include <string>

#include "language/value.hpp"

namespace volley::lookup {

class Invocation;

/// Replaces "%{...}" in a text, or in all texts of a list or hash (keys too): variables, and with `methods`
/// also lookup(), hiera(), alias(), scope() and literal(). Spec "Interpolation". Throws LookupError.
Value interpolate(const Value& value, Invocation& invocation, bool methods);

/// The same for a text that has no methods and stays a text: a path, a folder.
std::string interpolate_text(const std::string& text, Invocation& invocation);

/// The value of a variable with what its dotted name leads to: "facts.os.family"; nullopt when there is none.
/// `where` is for the message of a key that is not a key.
std::optional<Value> scope_value(const std::string& key, Invocation& invocation, const std::string& where);

}  // namespace volley::lookup
