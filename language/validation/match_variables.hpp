#pragma once

#include <vector>

#include "language/syntax/ast.hpp"

namespace volley {

/// Warnings about $0, $1 ... where no regular expression can have matched: shell and awk text in double
/// quotes, "awk '{print $5}'", whose $5 is always empty. Issue UNMATCHED_GROUP. In source order.
std::vector<Diagnostic> unmatched_groups(const ast::Node& node);

}  // namespace volley
