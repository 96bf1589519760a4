#pragma once

#include <string_view>

#include "language/value.hpp"

namespace volley {

struct NativeType;

/// Spec "Error" and "Deferred".
const NativeType& error_type();
const NativeType& deferred_type();

/// An Error as the language itself makes it: `details` is any hash, or undef.
Value make_error(std::string_view message, std::string_view kind, Value details, std::string_view issue_code);

}  // namespace volley
