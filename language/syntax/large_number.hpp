#pragma once

#include <string>

#include "language/syntax/ast.hpp"

namespace volley::ast {

/// The digits of a number in another radix (10 or 16), in lower case, also where 64 bits cannot hold it:
/// without a prefix and without leading zeros.
std::string digits_in_radix(const Integer& node, unsigned radix);

}  // namespace volley::ast
