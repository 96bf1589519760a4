#pragma once

#include <memory>
#include <string>

#include "language/syntax/ast.hpp"

namespace volley {

struct ParseOptions {
    std::string file;    // for positions; empty when the text comes from none
    bool tasks = false;  // plans are part of the language, as in Bolt
    bool epp = false;    // the text is a template
};

/// Reads a program or a template. The tree is checked for syntax only (validate() does the rest).
/// Throws ParseError with Puppet's message and the position of the first token that cannot follow.
std::shared_ptr<const ast::Program> parse_program(std::string text, const ParseOptions& options = {});

}  // namespace volley
