#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "language/functions/builtin.hpp"
#include "language/value.hpp"

namespace volley {

/// Whether value.name is an attribute or a function of the value itself, rather than a call of the function
/// `name` with the value as its first argument.
bool has_member(const Value& value, std::string_view name);

/// Reads the attribute or calls the function. Throws EvalError, in Puppet's words, for arguments that do not
/// fit and for functions that nobody has implemented.
Value call_member(CallContext& context, const Value& receiver, std::string_view name,
                  std::span<const Value> arguments);

}  // namespace volley
