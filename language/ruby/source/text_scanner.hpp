#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "language/ruby/source/token.hpp"

namespace volley::ruby_source {

/// How text between delimiters is read.
struct TextRules {
    char open = '\0';  // nests when it differs from `close`
    char close = '"';
    bool interpolate = true;  // "#{}" and escapes; else only \\ and the escaped delimiter
    bool pattern = false;     // escapes are left to the regular expression
};

/// Reads text up to its closing delimiter; `at` is after the opening one, and afterwards after the closing
/// one (or at the end of `source` when it is never closed).
std::vector<Piece> scan_text(std::string_view source, std::size_t& at, const TextRules& rules);

/// The end of "#{code}": `at` is after the brace that opens; returns the code and moves past the brace.
/// nullopt when it is never closed.
std::optional<std::string> scan_code(std::string_view source, std::size_t& at, int depth = 0);

/// The words of %w(...), with the same meaning of `at`. What %W would put into a word is unknown.
std::vector<Piece> scan_words(std::string_view source, std::size_t& at, const TextRules& rules);

/// The character that closes what `open` opens: itself when it is not a bracket.
char closing_delimiter(char open);

}  // namespace volley::ruby_source
