#include <string>

#include "language/syntax/lexer/characters.hpp"
#include "language/syntax/lexer/lexer.hpp"
#include "support/unicode/utf8.hpp"

namespace volley {
namespace {

constexpr std::string_view double_quoted_escapes = "\\$'\"rntsu\n";
constexpr int max_interpolation_nesting = 200;

/// The hex digits of a \u escape that follows the "u", and how long the escape is; length 0 when it is none.
std::pair<std::string_view, std::size_t> unicode_digits(std::string_view text) {
    std::size_t count = 0;
    if (text.starts_with("{")) {
        while (count < 6 && count + 1 < text.size() && is_hex(text[count + 1])) ++count;
        if (count > 0 && count + 1 < text.size() && text[count + 1] == '}')
            return {text.substr(1, count), count + 2};
        return {};
    }
    while (count < 4 && count < text.size() && is_hex(text[count])) ++count;
    return count == 4 ? std::pair{text.substr(0, 4), std::size_t{4}}
                      : std::pair<std::string_view, std::size_t>{};
}

/// What Puppet's scanner last matched when it read a quoted text: the terminator, with the backslashes and
/// the one character in front of it.
std::string_view match_of_end(std::string_view text, std::size_t begin, std::size_t terminator,
                              std::size_t end) {
    std::size_t start = terminator;
    while (start > begin && text[start - 1] == '\\') --start;
    if (start > begin) --start;
    while (start > begin && continues_character(text[start])) --start;
    return text.substr(start, end - start);
}

}  // namespace

void Lexer::lex_single_quoted() {
    const std::size_t begin = position_++;
    std::string content;
    // Compatibility: of three quotes in a row the second is the content.
    const bool quote_is_content = text_.substr(position_).starts_with("''");
    for (std::size_t at = position_; at < text_.size(); ++at) {
        const char c = text_[at];
        if (c == '\'' && !(quote_is_content && at == position_)) {
            position_ = at + 1;
            matched_ = match_of_end(text_, begin + 1, at, position_);
            return push(TokenKind::String, begin, position_, arena_.copy(content));
        }
        content += c;
        if (c != '\\' || at + 1 >= text_.size()) continue;
        const char escaped = text_[++at];
        if (escaped == '\\' || escaped == '\'')
            content.back() = escaped;
        else
            content += escaped;
    }
    fail("UNCLOSED_QUOTE", "Unclosed quote after \"'\" followed by '" + followed_by() + "'");
}

/// Reads up to the closing quote, the end of a heredoc, or a "$" that begins an interpolation.
Lexer::Slurped Lexer::slurp(Slurp how) {
    const std::size_t begin = position_;
    const bool quoted = how == Slurp::DoubleQuoted;
    const bool escapes = quoted || how == Slurp::HeredocInterpolated;
    std::size_t at = begin;
    // Compatibility: a quote that another quote or a "$" follows at once is content.
    const std::string_view rest = text_.substr(begin);
    if (quoted && (rest.starts_with("\"\"") || rest.starts_with("\"$"))) ++at;
    for (; at < text_.size(); ++at) {
        const char c = text_[at];
        if (c == '\\' && escapes) {
            ++at;
        } else if ((c == '"' && quoted) || (c == '$' && how != Slurp::Everything)) {
            break;
        }
    }
    if (at >= text_.size()) {
        if (quoted) {
            const std::string quote = matched_ == "'" ? "\"'\"" : "'" + std::string(matched_) + "'";
            fail("UNCLOSED_QUOTE", "Unclosed quote after " + quote + " followed by '" + followed_by() + "'");
        }
        at = text_.size();
    }
    const std::string_view raw = text_.substr(begin, at - begin);
    std::string_view terminator = text_.substr(at, at < text_.size() ? 1 : 0);
    if (terminator == "$" && text_.substr(at).starts_with("${")) terminator = text_.substr(at, 2);
    position_ = at + terminator.size();
    matched_ = match_of_end(text_, begin, at, position_);
    return {unescape(raw, quoted ? double_quoted_escapes : std::string_view(heredoc_escapes_), quoted),
            terminator};
}

std::string Lexer::unescape_unicode(std::string_view raw) {
    std::string result;
    for (std::size_t at = 0; at < raw.size(); ++at) {
        result += raw[at];
        if (raw[at] != '\\' || at + 1 >= raw.size()) continue;
        const auto [digits, length] = raw[at + 1] == 'u' ? unicode_digits(raw.substr(at + 2))
                                                         : std::pair<std::string_view, std::size_t>{};
        if (length == 0) {
            result += raw[++at];
            continue;
        }
        const auto code = static_cast<std::uint32_t>(std::stoul(std::string(digits), nullptr, 16));
        if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
            fail("ILLEGAL_UNICODE_ESCAPE",
                 "Unicode escape '\\u' was not followed by 4 hex digits or 1-6 hex digits in {} or was > "
                 "10ffff");
        }
        result.pop_back();
        append_utf8(result, code);
        at += 1 + length;
    }
    return result;
}

std::string_view Lexer::unescape(std::string_view raw, std::string_view escapes, bool report) {
    if (raw.find('\\') == std::string_view::npos) return raw;
    const bool unicode = escapes.find('u') != std::string_view::npos;
    const std::string text = unicode ? unescape_unicode(raw) : std::string(raw);
    std::string result;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '\\' || at + 1 >= text.size()) {
            result += text[at];
            continue;
        }
        const bool windows_newline = text.compare(at + 1, 2, "\r\n") == 0;
        const char c = windows_newline ? '\n' : text[at + 1];
        if (c == '\r') {  // a carriage return alone cannot be escaped
            result += '\\';
            continue;
        }
        at += windows_newline ? 2 : 1;
        if (escapes.find(c) == std::string_view::npos) {
            std::string unknown = windows_newline ? "\r\n" : std::string(1, c);
            while (at + 1 < text.size() && continues_character(text[at + 1])) unknown += text[++at];
            if (report) warn("UNRECOGNIZED_ESCAPE", "Unrecognized escape sequence '\\" + unknown + "'");
            result += '\\' + unknown;
            continue;
        }
        switch (c) {
            case 'r':
                result += '\r';
                break;
            case 'n':
                result += '\n';
                break;
            case 't':
                result += '\t';
                break;
            case 's':
                result += ' ';
                break;
            case '\n':
                break;
            case 'u':
                warn("ILLEGAL_UNICODE_ESCAPE",
                     "Unicode escape '\\u' was not followed by 4 hex digits or 1-6 hex digits in {} or was > "
                     "10ffff");
                result += "\\u";
                break;
            default:
                result += c;
        }
    }
    return arena_.copy(result);
}

void Lexer::interpolate_first(Slurp how) {
    if (how == Slurp::DoubleQuoted) matched_ = text_.substr(position_, 1);
    interpolate(how, true);
}

/// The pieces of a string: text, then an interpolated expression's tokens, and so on to the end.
void Lexer::interpolate(Slurp how, bool head) {
    if (++nesting_ > max_interpolation_nesting)
        fail("NESTING_TOO_DEEP", "Interpolated strings are nested too deeply");
    for (;; head = false) {
        std::size_t begin = position_;
        if (head && how == Slurp::DoubleQuoted) ++position_;
        auto [text, terminator] = slurp(how);
        std::size_t variable = 0;
        while (terminator == "$" && (variable = scan_variable_name(position_)) <= position_) {
            matched_ = {};
            const Slurped more = slurp(how);  // a lone dollar is text
            text = arena_.copy(std::string(text) + "$" + std::string(more.text));
            terminator = more.terminator;
        }
        if (terminator == "$") {
            const std::size_t dollar = position_ - 1;
            matched_ = text_.substr(position_, variable - position_);
            push(head ? TokenKind::DqPre : TokenKind::DqMid, begin, dollar, text);
            push(TokenKind::Variable, dollar, variable, matched_);
            position_ = variable;
        } else if (terminator == "${") {
            push(head ? TokenKind::DqPre : TokenKind::DqMid, begin, position_, text);
            lex_until_brace(braces_++);
        } else {
            push(head ? TokenKind::String : TokenKind::DqPost, begin, position_, text);
            break;
        }
    }
    --nesting_;
}

/// The tokens of an expression inside "${...}". A name alone, or one followed by "." or "[", is a variable.
void Lexer::lex_until_brace(int depth) {
    skip_blank();
    const std::size_t first = queue_.size();
    while (!at_end()) {
        const std::size_t before = queue_.size();
        lex_one();
        if (queue_.size() == before) {
            skip_blank();
            continue;
        }
        // The pieces of a nested string have been accounted for already.
        if (queue_.size() > before + 1 || queue_.back().kind == TokenKind::DqPost) continue;
        after_ = queue_.back().kind;
        if (after_ != TokenKind::RBrace || braces_ != depth) continue;
        const std::size_t count = queue_.size() - 1 - first;
        queue_.pop_back();
        if (count == 1)
            make_variable(queue_.back());
        else if (count > 1 &&
                 (queue_[first + 1].kind == TokenKind::Dot || queue_[first + 1].kind == TokenKind::LBrack)) {
            make_variable(queue_[first]);
        }
        return;
    }
}

void Lexer::make_variable(Token& token) const {
    if (token.kind == TokenKind::Number || token.kind == TokenKind::Name || token.kind == TokenKind::Word ||
        token.kind == TokenKind::Boolean || is_keyword(token.kind)) {
        token.kind = TokenKind::Variable;
    }
}

}  // namespace volley
