#pragma once

#include <string>
#include <string_view>

#include "language/text/regexp.hpp"
#include "language/value.hpp"

namespace volley {

/// Ruby's sub and gsub: a replacement may refer to groups as \1, \0, \k<name>; a hash has a text for each
/// match.
std::string ruby_substitute(const std::string& text, const Regexp& pattern, const Value& replacement,
                            bool all);

/// Appends what a replacement text stands for after one match: "\\1" is the first group. `text` is what was
/// searched.
void append_ruby_replacement(std::string& out, std::string_view text, const Regexp& pattern,
                             const RegexpMatch& match, std::string_view replacement);

}  // namespace volley
