#pragma once

#include "language/evaluator/environment.hpp"
#include "language/syntax/ast.hpp"

namespace volley {

/// Checks what the grammar lets through but the language does not allow: expressions without effect, wrong
/// names, definitions in wrong places. Warnings go to the environment's log. Throws ParseError; of several
/// mistakes each is logged and the error is a summary.
void validate(const ast::Program& program, Environment& environment);

}  // namespace volley
