#pragma once

#include <vector>

#include "language/functions/builtin.hpp"

namespace volley {

/// The functions that make catalogs (include, realize, tag ...), where there is no catalog: each is an
/// error. For Environment::add_builtins().
const std::vector<const Builtin*>& refused_catalog_operations();

}  // namespace volley
