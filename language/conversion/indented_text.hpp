#pragma once

#include <string>

#include "language/value.hpp"

namespace volley {

/// An object as String.new writes it with the format "%#p": one attribute on each line. `level` is the depth
/// of what is around it, two blanks each.
std::string indented_object_text(const Value& object, int level);

}  // namespace volley
