#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "language/syntax/arena.hpp"
#include "language/syntax/lexer/token.hpp"
#include "language/syntax/source.hpp"

namespace volley {

/// Something worth telling the user that does not stop the program.
struct Diagnostic {
    Severity severity = Severity::Warning;
    std::string issue;
    std::string message;
    Location at;
};

struct LexerOptions {
    bool tasks = false;  // "plan" and "apply" are keywords (what Bolt does)
    bool epp = false;    // the source is a template
};

/// Where the text of a heredoc lies in the source around it. Its own text has lost its margin, so offsets
/// have to be mapped back.
struct HeredocOrigin {
    const HeredocOrigin* parent = nullptr;
    std::uint32_t offset = 0;
    bool has_margin = false;
    std::vector<std::uint32_t> lines;    // starts of the lines of the text without margin
    std::vector<std::uint32_t> margins;  // bytes taken from each line
    Span to_source(Span local) const;
};

/// Turns text into tokens, on demand, so that a syntax error is reported before a lexical error further on.
/// Spec "Lexical Structure" and "Heredoc". Throws ParseError.
class Lexer {
public:
    Lexer(const Source& source, Arena& arena, LexerOptions options = {});
    Token next();
    const std::vector<Diagnostic>& diagnostics() const noexcept { return diagnostics_; }

private:
    enum class EppMode { Off, Text, Code, Expression };
    enum class Slurp { DoubleQuoted, HeredocInterpolated, HeredocNoDollarEscape, Everything };
    struct Slurped {
        std::string_view text;
        std::string_view terminator;
    };

    /// The text of a heredoc.
    Lexer(Lexer& outer, std::string_view text, const HeredocOrigin& origin, std::string escapes,
          bool interpolate);

    // lexer.cpp
    void lex_one();
    void lex_blank();
    void lex_newline();
    void lex_comment_or_division();
    void lex_regexp_or_division();
    void lex_colon();
    void lex_variable();
    void lex_word();
    void lex_class_reference();
    void lex_operator();
    void lex_open_bracket();
    void lex_open_parenthesis();
    std::size_t scan_class_reference();
    std::size_t scan_bare_word() const;
    bool regexp_acceptable() const noexcept;
    // lexer_numbers.cpp
    void lex_number();
    std::size_t scan_number() const;
    void assert_numeric(std::string_view text, std::size_t at) const;
    // lexer_strings.cpp
    void lex_single_quoted();
    void interpolate(Slurp how, bool head);
    void interpolate_first(Slurp how);
    void lex_until_brace(int depth);
    void make_variable(Token& token) const;
    Slurped slurp(Slurp how);
    std::string_view unescape(std::string_view raw, std::string_view escapes, bool report);
    std::string unescape_unicode(std::string_view raw);
    std::size_t scan_variable_name(std::size_t at) const;
    // lexer_heredoc.cpp
    void lex_heredoc();
    std::string heredoc_escapes(std::string_view letters) const;
    // lexer_epp.cpp
    void lex_template(bool trim_leading);
    bool lex_template_end();

    char peek(std::size_t ahead = 0) const noexcept {
        return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
    }
    bool at_end() const noexcept { return position_ >= text_.size(); }
    std::string_view rest() const { return text_.substr(position_); }
    bool skip_blank();
    void push(TokenKind kind, std::size_t begin, std::size_t end, std::string_view text);
    void emit(TokenKind kind, std::size_t length);
    std::string followed_by() const;
    Location locate(std::size_t at) const;
    [[noreturn]] void fail(std::string_view issue, const std::string& message,
                           std::optional<std::size_t> at = {}) const;
    void warn(std::string_view issue, const std::string& message);

    const Source& source_;
    Arena& arena_;
    LexerOptions options_;
    std::string_view text_;
    const HeredocOrigin* origin_ = nullptr;
    std::string heredoc_escapes_;
    std::size_t position_ = 0;
    std::deque<Token> queue_;
    std::deque<HeredocOrigin> origins_;
    std::vector<Diagnostic> diagnostics_;
    TokenKind after_ = TokenKind::EndOfInput;  // the token before, for telling a regexp from a division
    std::string_view matched_;                 // what was scanned last, for "Unclosed quote after"
    int braces_ = 0;
    int nesting_ = 0;
    std::size_t line_start_ = 0;
    std::size_t newline_jump_ = 0;  // where the next newline leads to, after heredoc text; 0: nowhere special
    EppMode epp_ = EppMode::Off;
    bool epp_open_ = false;
    bool started_ = false;
};

}  // namespace volley
