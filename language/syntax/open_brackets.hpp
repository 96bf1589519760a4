#pragma once

#include <string>

#include "language/syntax/lexer/lexer.hpp"

namespace volley {

/// What was left open where a program has a syntax error: "'(' of line 2 is not closed". Puppet names the
/// token where it could not go on, which is often lines after the mistake. `at`: of that token; without a
/// line it is the end of the text. Empty when nothing is open, or when it is not likely to be the mistake.
std::string open_bracket_hint(const std::string& text, const Location& at, LexerOptions options);

}  // namespace volley
