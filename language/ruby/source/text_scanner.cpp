#include "language/ruby/source/text_scanner.hpp"

#include <cctype>
#include <charconv>
#include <cstdint>
#include <optional>

#include "support/unicode/utf8.hpp"

namespace volley::ruby_source {
namespace {

constexpr int max_code_depth = 20;

/// Adds a character to the literal part at the end.
void add_literal(std::vector<Piece>& pieces, char c) {
    if (pieces.empty() || pieces.back().code) pieces.push_back({});
    pieces.back().text += c;
}

/// What a backslash and `c` stand for in a double-quoted string; nullopt for those by number and for control
/// keys.
std::optional<char> escaped_character(char c) {
    switch (c) {
        case 'n':
            return '\n';
        case 't':
            return '\t';
        case 'r':
            return '\r';
        case 's':
            return ' ';
        case 'e':
            return '\x1b';
        case 'a':
            return '\a';
        case 'b':
            return '\b';
        case 'v':
            return '\v';
        case 'f':
            return '\f';
        case 'c':
        case 'C':
        case 'M':
        case 'u':
        case 'x':
            return std::nullopt;
        default:
            return c >= '0' && c <= '7' ? std::nullopt : std::optional(c);
    }
}

/// Digits of a base, `most` at most; nullopt when there are none.
std::optional<std::uint32_t> escape_digits(std::string_view source, std::size_t& at, int base,
                                           std::size_t most) {
    std::uint32_t number = 0;
    const std::string_view digits = source.substr(at, most);
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
    if (read.ec != std::errc{} || digits.empty()) return std::nullopt;
    at += static_cast<std::size_t>(read.ptr - digits.data());
    return number;
}

/// \x41, \101 and \u00e9 (but not \u{41 42}); `at` is after the letter or on the first octal digit. False:
/// not known.
bool scan_number_escape(std::string_view source, std::size_t& at, char c, std::vector<Piece>& pieces) {
    if (c == 'u') {
        const bool braces = at < source.size() && source[at] == '{';
        if (braces) ++at;
        const auto point = escape_digits(source, at, 16, braces ? 6 : 4);
        if (!point || *point > 0x10FFFF || (*point >= 0xD800 && *point < 0xE000)) return false;
        if (braces && (at >= source.size() || source[at++] != '}')) return false;
        std::string character;
        append_utf8(character, *point);
        for (const char byte : character) add_literal(pieces, byte);
        return true;
    }
    if (c != 'x' && !(c >= '0' && c <= '7')) return false;
    if (c != 'x') --at;
    const auto byte = escape_digits(source, at, c == 'x' ? 16 : 8, c == 'x' ? 2 : 3);
    if (!byte || *byte > 0x7F) return false;  // bytes that are not text of their own
    add_literal(pieces, static_cast<char>(*byte));
    return true;
}

void scan_escape(std::string_view source, std::size_t& at, const TextRules& rules,
                 std::vector<Piece>& pieces) {
    const char c = source[at++];
    const bool delimiter = c == rules.close || (rules.open != rules.close && c == rules.open);
    if (rules.pattern) {
        // Ruby drops the backslash of the delimiter, unless that means something in a pattern.
        const bool means_something = std::string_view("$*+.?^|)]}>").find(c) != std::string_view::npos;
        if (c != rules.close || means_something) add_literal(pieces, '\\');
        add_literal(pieces, c);
    } else if (!rules.interpolate) {
        if (!delimiter && c != '\\') add_literal(pieces, '\\');
        add_literal(pieces, c);
    } else if (c == '\n') {
        return;
    } else if (const auto known = delimiter ? std::optional(c) : escaped_character(c)) {
        add_literal(pieces, *known);
    } else if (!scan_number_escape(source, at, c, pieces)) {
        pieces.push_back({.unknown = true});
    }
}

bool begins_short_code(std::string_view source, std::size_t at) {
    if (at + 1 >= source.size() || (source[at] != '@' && source[at] != '$')) return false;
    const auto c = static_cast<unsigned char>(
        source[at + 1] == '@' && at + 2 < source.size() ? source[at + 2] : source[at + 1]);
    return std::isalpha(c) != 0 || c == '_' || c >= 0x80 || source[at] == '$';
}

/// The variable of "#@name" or "#$name".
std::string scan_short_code(std::string_view source, std::size_t& at) {
    const std::size_t begin = at++;
    while (at < source.size() && source[at] == '@') ++at;
    const auto part = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & 0x80) != 0;
    };
    if (at < source.size() && !part(source[at]))
        ++at;
    else
        while (at < source.size() && part(source[at])) ++at;
    return std::string(source.substr(begin, at - begin));
}

}  // namespace

char closing_delimiter(char open) {
    switch (open) {
        case '(':
            return ')';
        case '[':
            return ']';
        case '{':
            return '}';
        case '<':
            return '>';
        default:
            return open;
    }
}

std::optional<std::string> scan_code(std::string_view source, std::size_t& at, int depth) {
    const std::size_t begin = at;
    int braces = 1;
    while (at < source.size() && depth < max_code_depth) {
        const char c = source[at++];
        if (c == '\\' && at < source.size()) {
            ++at;
        } else if (c == '{') {
            ++braces;
        } else if (c == '}' && --braces == 0) {
            return std::string(source.substr(begin, at - 1 - begin));
        } else if (c == '"' || c == '\'') {
            // Text in the code may hold braces; only where it ends matters here.
            while (at < source.size() && source[at] != c) {
                if (source[at] == '\\') ++at;
                if (c == '"' && source.substr(at).starts_with("#{")) {
                    at += 2;
                    scan_code(source, at, depth + 1);
                } else {
                    ++at;
                }
            }
            ++at;
        }
    }
    at = source.size();
    return std::nullopt;
}

std::vector<Piece> scan_text(std::string_view source, std::size_t& at, const TextRules& rules) {
    std::vector<Piece> pieces;
    int open = 1;
    while (at < source.size()) {
        const char c = source[at++];
        if (c == '\\' && at < source.size()) {
            scan_escape(source, at, rules, pieces);
        } else if (c == rules.close && --open == 0) {
            return pieces;
        } else if (rules.interpolate && c == '#' && at < source.size() && source[at] == '{') {
            ++at;
            auto code = scan_code(source, at);
            pieces.push_back({.code = true, .text = code.value_or(""), .unknown = !code});
        } else if (rules.interpolate && c == '#' && begins_short_code(source, at)) {
            pieces.push_back({.code = true, .text = scan_short_code(source, at)});
        } else {
            if (rules.open != rules.close && c == rules.open) ++open;
            add_literal(pieces, c);
        }
    }
    if (rules.close != '\0') pieces.push_back({.unknown = true});  // never closed
    return pieces;
}

std::vector<Piece> scan_words(std::string_view source, std::size_t& at, const TextRules& rules) {
    std::vector<Piece> words;
    int nested = 1;
    bool inside = false;
    while (at < source.size()) {
        const char c = source[at++];
        if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
            inside = false;
            continue;
        }
        if (c == rules.close && --nested == 0) return words;
        if (rules.open != rules.close && c == rules.open) ++nested;
        if (!inside) words.push_back({});
        inside = true;
        Piece& word = words.back();
        const char next = at < source.size() ? source[at] : '\0';
        if (rules.interpolate && (c == '\\' || (c == '#' && next == '{'))) word.unknown = true;
        if (c == '\\' && (next == '\\' || next == ' ' || next == '\n' || next == '\t' ||
                          next == rules.close || next == rules.open)) {
            word.text += next;
            ++at;
        } else {
            word.text += c;
        }
    }
    words.push_back({.unknown = true});
    return words;
}

}  // namespace volley::ruby_source
