#pragma once

#include <vector>

#include "language/ruby/source/token.hpp"

namespace volley::ruby_source {

/// Sets Token::match of everything that opens: brackets, "do", and the keywords that "end" closes. Modifiers
/// (`return if x`) open nothing, nor does the "do" of a loop. Throws as tokenize() does.
void pair_tokens(std::vector<Token>& tokens);

}  // namespace volley::ruby_source
