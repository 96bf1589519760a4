#pragma once

#include <string>

#include "language/regexp.hpp"
#include "language/value.hpp"

namespace volley {

/// Ruby's sub and gsub: a replacement may refer to groups as \1, \0, \k<name>; a hash gives a text for each
/// match.
std::string ruby_substitute(const std::string& text, const Regexp& pattern, const Value& replacement,
                            bool all);

}  // namespace volley
