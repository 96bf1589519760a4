#include "language/syntax/open_brackets.hpp"

#include <optional>
#include <tuple>
#include <vector>

namespace volley {
namespace {

struct Bracket {
    char shape = '(';
    int line = 0;
};

std::optional<char> opens(TokenKind kind) {
    switch (kind) {
        case TokenKind::LParen:
        case TokenKind::WsLParen:
            return '(';
        case TokenKind::LBrack:
        case TokenKind::ListStart:
            return '[';
        case TokenKind::LBrace:
        case TokenKind::SelBrace:
            return '{';
        default:
            return std::nullopt;
    }
}

std::optional<char> closes(TokenKind kind) {
    switch (kind) {
        case TokenKind::RParen:
            return '(';
        case TokenKind::RBrack:
            return '[';
        case TokenKind::RBrace:
            return '{';
        default:
            return std::nullopt;
    }
}

std::string described(const Bracket& open) {
    return std::string("'") + open.shape + "' of line " + std::to_string(open.line) + " is not closed";
}

/// Reads up to the token at which the parser stopped.
std::string hint_of_tokens(const Source& source, const Location& at, LexerOptions options) {
    Arena arena;
    Lexer lexer(source, arena, options);
    std::vector<Bracket> open;
    for (;;) {
        const Token token = lexer.next();
        if (token.kind == TokenKind::EndOfInput) return open.empty() ? "" : described(open.back());
        const Location here = source.location(token.span.begin);
        const bool reached = at.known() && std::tie(here.line, here.column) >= std::tie(at.line, at.column);
        const auto closing = closes(token.kind);
        if (reached) {
            if (open.empty()) return {};
            const bool wrong = closing && *closing != open.back().shape;
            const bool of_earlier_line = open.back().shape != '{' && open.back().line < here.line;
            return wrong || of_earlier_line ? described(open.back()) : std::string();
        }
        if (const auto shape = opens(token.kind)) open.push_back({*shape, here.line});
        if (closing && !open.empty() && open.back().shape == *closing) open.pop_back();
    }
}

}  // namespace

std::string open_bracket_hint(const std::string& text, const Location& at, LexerOptions options) {
    try {
        const Source source(text, {});
        return hint_of_tokens(source, at, options);
    } catch (const LanguageError&) {
        return {};  // a fault of the lexer says itself what it is about
    }
}

}  // namespace volley
