#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace volley::ruby_source {

/// Text as written between quotes: literal parts and "#{code}" parts in turn.
struct Piece {
    bool code = false;
    std::string text = {};
    bool unknown = false;  // an escape that is not known here, or text that never ends
};

struct Token {
    enum class Kind : std::uint8_t {
        Newline,  // also ";"
        Identifier,
        Constant,
        Keyword,
        Variable,  // @a, @@a, $a
        Number,
        Text,          // pieces
        Symbol,        // pieces
        Words,         // %w: one literal piece a word
        SymbolWords,   // %i
        Pattern,       // pieces; flags in `text`
        ShellCommand,  // `ls`
        Label,         // "name:" of a hash or a keyword argument
        Operator,
        End,
    };
    Kind kind = Kind::End;
    bool space_before = false;
    bool space_after = false;
    std::uint32_t line = 0;
    std::size_t match = 0;  // for ( [ { do def if ...: the token that closes it
    std::string text = {};
    std::vector<Piece> pieces = {};

    bool is(Kind wanted, std::string_view what) const { return kind == wanted && text == what; }
    bool is_operator(std::string_view what) const { return is(Kind::Operator, what); }
    bool is_keyword(std::string_view what) const { return is(Kind::Keyword, what); }
    bool is_text() const { return kind == Kind::Text || kind == Kind::Symbol; }
};

/// Divides Ruby source into tokens and pairs what opens with what closes. Tolerant: it knows enough of Ruby
/// to distinguish strings, heredocs, patterns and comments from code. The last token is End. Throws Error
/// puppet-type-unreadable, with the line, for what it cannot pair, and for nesting deeper than 200.
/// `line` is that of the first token.
std::vector<Token> tokenize(std::string_view source, std::uint32_t line = 1);

}  // namespace volley::ruby_source
