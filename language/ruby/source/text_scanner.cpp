#include "language/ruby/source/text_scanner.hpp"

namespace volley::ruby_source {
namespace {

constexpr int max_code_depth = 20;

/// Adds a character to the literal part at the end.
void add_literal(std::vector<Piece>& pieces, char c) {
    if (pieces.empty() || pieces.back().code) pieces.push_back({});
    pieces.back().text += c;
}

/// What a backslash and `c` stand for in a double-quoted string. Escapes by number are rare in the names that
/// are looked for, and are left as they are written.
char escaped_character(char c) {
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
        case '0':
            return '\0';
        default:
            return c;
    }
}

void scan_escape(std::string_view source, std::size_t& at, const TextRules& rules,
                 std::vector<Piece>& pieces) {
    const char c = source[at++];
    const bool delimiter = c == rules.close || c == rules.open;
    if (rules.pattern) {
        // Ruby drops the backslash of an escaped slash only.
        if (c != '/') add_literal(pieces, '\\');
        add_literal(pieces, c);
    } else if (rules.interpolate) {
        if (c != '\n') add_literal(pieces, delimiter ? c : escaped_character(c));
    } else {
        if (!delimiter && c != '\\') add_literal(pieces, '\\');
        add_literal(pieces, c);
    }
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

std::string scan_code(std::string_view source, std::size_t& at, int depth) {
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
    return {};
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
            pieces.push_back({true, scan_code(source, at)});
        } else {
            if (rules.open != rules.close && c == rules.open) ++open;
            add_literal(pieces, c);
        }
    }
    return pieces;
}

std::vector<Piece> scan_words(std::string_view source, std::size_t& at, char open, char close) {
    std::vector<Piece> words;
    int nested = 1;
    bool inside = false;
    while (at < source.size()) {
        char c = source[at++];
        if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
            inside = false;
            continue;
        }
        if (c == close && --nested == 0) break;
        if (open != close && c == open) ++nested;
        if (c == '\\' && at < source.size()) c = source[at++];
        if (!inside) words.push_back({});
        inside = true;
        words.back().text += c;
    }
    return words;
}

}  // namespace volley::ruby_source
