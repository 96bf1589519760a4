#pragma once

#include <span>
#include <string>

#include "language/value.hpp"

namespace volley {

/// The arguments of a logging function as one line.
std::string log_text(std::span<const Value> values);

}  // namespace volley
