#pragma once

#include <cstdint>
#include <string_view>

#include "language/syntax/source.hpp"

namespace volley {

enum class TokenKind : std::uint8_t {
    EndOfInput,
    // values
    Name,
    Word,
    ClassRef,
    Number,
    String,
    Regex,
    Variable,
    Boolean,
    DqPre,
    DqMid,
    DqPost,
    Heredoc,
    Sublocate,
    RenderString,
    RenderExpr,
    EppStart,
    EppEnd,
    EppEndTrim,
    // keywords
    Case,
    Class,
    Default,
    Define,
    If,
    Elsif,
    Else,
    Inherits,
    Node,
    And,
    Or,
    Undef,
    In,
    Unless,
    Function,
    Type,
    Attr,
    Private,
    Plan,
    Apply,
    // punctuation
    LBrack,
    ListStart,
    RBrack,
    LBrace,
    RBrace,
    SelBrace,
    LParen,
    WsLParen,
    RParen,
    Equals,
    Appends,
    Deletes,
    IsEqual,
    NotEqual,
    Match,
    NoMatch,
    GreaterEqual,
    GreaterThan,
    LessEqual,
    LessThan,
    FArrow,
    PArrow,
    LShift,
    RShift,
    LlCollect,
    LCollect,
    RrCollect,
    RCollect,
    Plus,
    Minus,
    Div,
    Times,
    Modulo,
    Not,
    Dot,
    Pipe,
    At,
    AtAt,
    Colon,
    Comma,
    Semic,
    QMark,
    Tilde,
    InEdge,
    InEdgeSub,
    OutEdge,
    OutEdgeSub,
    Other,
};

/// One word of the language. `text` is its value (a string without quotes and escapes, a variable without
/// "$") and is what a syntax error shows.
struct Token {
    TokenKind kind = TokenKind::EndOfInput;
    Span span;
    std::string_view text;
};

/// True for the words that may also be attribute names (file { x: if => 1 }).
constexpr bool is_keyword(TokenKind kind) noexcept {
    return kind >= TokenKind::Case && kind <= TokenKind::Apply;
}

}  // namespace volley
