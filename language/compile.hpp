#pragma once

#include <memory>
#include <string>

#include "language/evaluator/environment.hpp"
#include "language/syntax/ast.hpp"

namespace volley {

/// Parses and checks a program that is to be run: what `volley eval` and the compiler do with a text.
/// Warnings go to the environment's log. Throws ParseError; of several mistakes all but a summary are logged.
std::shared_ptr<const ast::Program> compile_program(std::string text, Environment& environment,
                                                    std::string file = {});

}  // namespace volley
