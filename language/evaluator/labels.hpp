#pragma once

#include <string>

#include "language/syntax/ast.hpp"
#include "language/value.hpp"

namespace volley {

/// What messages call a node: "'+' expression", "Function Call".
std::string label(const ast::Node& node);
/// What messages call a value: "Integer", "Undef Value", "Integer-Type".
std::string label(const Value& value);
/// With its article: "a Function Call", "an Integer".
std::string a_an(const std::string& words);
std::string a_an_uc(const std::string& words);

}  // namespace volley
