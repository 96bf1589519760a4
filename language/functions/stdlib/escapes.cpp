#include "language/functions/stdlib/escapes.hpp"

#include "language/syntax/lexer/characters.hpp"
#include "support/unicode/utf8.hpp"

namespace volley::stdlib {

std::string shell_escaped(std::string_view word) {
    if (word.empty()) return "''";
    std::string result;
    for (const char c : word) {
        if (c == '\n') {
            result += "'\n'";
            continue;
        }
        const bool safe = is_word(c) || std::string_view("-.,:+/@").find(c) != std::string_view::npos;
        // Only the first byte of a character takes the backslash, so that UTF-8 stays whole.
        if (!safe && !continues_character(c)) result += '\\';
        result += c;
    }
    return result;
}

std::string uri_escaped(std::string_view text) {
    constexpr std::string_view kept = "-_.!~*'();/?:@&=+$,[]";
    std::string result;
    for (const char c : text) {
        const bool letter = is_word(c) && c != '_';
        if (letter || kept.find(c) != std::string_view::npos) {
            result += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        result += '%';
        result += "0123456789ABCDEF"[byte >> 4];
        result += "0123456789ABCDEF"[byte & 0xF];
    }
    return result;
}

}  // namespace volley::stdlib
