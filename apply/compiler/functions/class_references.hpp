#pragma once

#include <string>
#include <vector>

#include "language/value.hpp"

namespace volley {

/// What include() and its like give: Class['a'] for "::a".
Value class_references(const std::vector<std::string>& names);

}  // namespace volley
