#pragma once

#include <vector>

#include "language/functions/builtin.hpp"

namespace volley::planner {

/// The functions that plans have beside those of the language: one a file and a line in registry.def.
const std::vector<const Builtin*>& plan_functions();

}  // namespace volley::planner
