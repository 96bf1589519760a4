#pragma once

#include <vector>

#include "language/functions/builtin.hpp"

namespace volley {

/// The functions of the stdlib module that are native here (registry.def), under all their names. A function
/// of the same name written in the language, in a module, comes first.
const std::vector<const Builtin*>& stdlib_builtins();

}  // namespace volley
