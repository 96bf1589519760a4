#pragma once

#include <span>
#include <string_view>

#include "language/functions/builtin.hpp"

namespace volley {

/// The path of the first name that the host knows: a file of a module of that kind, or a module when `kind`
/// is empty. The names may be in lists. undef when there is none.
Value first_found(CallContext& context, std::span<const Value> names, std::string_view kind);

}  // namespace volley
