#include "language/ruby/source/token.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "language/ruby/source/pairing.hpp"
#include "language/ruby/source/text_scanner.hpp"

namespace volley::ruby_source {
namespace {

using TokenKind = Token::Kind;

constexpr std::array<std::string_view, 40> keywords{
    "alias", "and",    "begin",  "break",  "case",  "class",  "def",      "defined?", "do",      "else",
    "elsif", "end",    "ensure", "false",  "for",   "if",     "in",       "module",   "next",    "nil",
    "not",   "or",     "redo",   "rescue", "retry", "return", "self",     "super",    "then",    "true",
    "undef", "unless", "until",  "when",   "while", "yield",  "__FILE__", "__LINE__", "__dir__", "BEGIN"};

// Longest first, so that the first that fits is the right one.
constexpr std::array<std::string_view, 40> operators{
    "**=", "<=>", "===", "...", "<<=", ">>=", "&&=", "||=", "**", "==", "!=", ">=", "<=", "&&",
    "||",  "<<",  ">>",  "=~",  "!~",  "=>",  "->",  "::",  "..", "+=", "-=", "*=", "/=", "|=",
    "&=",  "^=",  "%=",  "&.",  "+",   "-",   "*",   "/",   "%",  "=",  "<",  ">"};

bool is_name_start(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || byte >= 0x80;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

class Lexer {
public:
    Lexer(std::string_view source, std::uint32_t line) : source_(source), line_(line) {}

    std::vector<Token> run() {
        while (skip_blanks(), at_ < source_.size()) {
            if (at_line_start() && source_.substr(at_).starts_with("__END__")) break;
            const std::size_t before = at_;
            scan();
            if (at_ == before) ++at_;  // a byte that means nothing here
        }
        add(TokenKind::Newline, "\n");
        add(TokenKind::End, "");
        return std::move(tokens_);
    }

private:
    struct Heredoc {
        std::size_t token;
        std::string name;
        bool interpolate;
        bool indented;  // the closing name may be
        bool strip;     // <<~
    };

    char peek(std::size_t ahead = 0) const {
        return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
    }
    bool at_line_start() const { return at_ == 0 || source_[at_ - 1] == '\n'; }
    bool space_follows(std::size_t ahead) const { return is_blank(peek(ahead)) || peek(ahead) == '\n'; }

    Token& add(TokenKind kind, std::string text, std::vector<Piece> pieces = {}) {
        Token token;
        token.kind = kind;
        token.space_before = space_;
        token.line = line_;
        token.text = std::move(text);
        token.pieces = std::move(pieces);
        tokens_.push_back(std::move(token));
        space_ = false;
        return tokens_.back();
    }

    void skip_blanks() {
        while (at_ < source_.size()) {
            if (is_blank(peek())) {
                space_ = true;
                if (!tokens_.empty()) tokens_.back().space_after = true;
                ++at_;
            } else if (peek() == '\\' && peek(1) == '\n') {
                space_ = true;
                ++line_;
                at_ += 2;
            } else if (peek() == '#') {
                at_ = std::min(source_.find('\n', at_), source_.size());
            } else if (at_line_start() && source_.substr(at_).starts_with("=begin")) {
                skip_to("=end");
            } else {
                return;
            }
        }
    }

    void skip_to(std::string_view line_start) {
        while (at_ < source_.size()) {
            const std::size_t end = std::min(source_.find('\n', at_), source_.size());
            const bool last = source_.substr(at_).starts_with(line_start);
            at_ = std::min(end + 1, source_.size());
            ++line_;
            if (last) return;
        }
    }

    /// What comes next begins an expression, rather than going on with one.
    bool expects_value() const {
        if (tokens_.empty()) return true;
        const Token& last = tokens_.back();
        switch (last.kind) {
            case TokenKind::Newline:
            case TokenKind::Label:
                return true;
            case TokenKind::Operator:
                return last.text != ")" && last.text != "]" && last.text != "}";
            case TokenKind::Keyword:
                return last.text != "end" && last.text != "self" && last.text != "nil" &&
                       last.text != "true" && last.text != "false" && !last.text.starts_with("__");
            default:
                return false;
        }
    }

    /// The first argument of a call without parentheses: `raise %q(...)`, `desc <<-EOT`, `match /x/`.
    bool begins_argument(std::size_t width) const {
        if (expects_value()) return true;
        return !tokens_.empty() && tokens_.back().kind == TokenKind::Identifier && space_ &&
               !space_follows(width);
    }

    void scan() {
        const char c = peek();
        if (c == '\n') return newline();
        if (c == ';') {
            ++at_;
            add(TokenKind::Newline, ";");
            return;
        }
        if (is_name_start(c)) return name();
        if (is_digit(c)) return number();
        if (c == '@' || c == '$') return variable();
        if (c == '"' || c == '\'' || c == '`') return quoted(c);
        if (c == ':' && peek(1) != ':' && symbol()) return;
        if (c == '/' && begins_argument(1)) return pattern('/', '/', 1);
        if (c == '%' && begins_argument(1) && percent()) return;
        if (c == '<' && peek(1) == '<' && heredoc()) return;
        if (c == '?' && expects_value() && peek(1) > ' ' && !is_name_part(peek(2))) {
            add(TokenKind::Text, "", {{false, std::string(1, peek(1))}});
            at_ += 2;
            return;
        }
        for (const std::string_view one : operators) {
            if (one.front() != c || !source_.substr(at_).starts_with(one)) continue;
            at_ += one.size();
            add(TokenKind::Operator, std::string(one));
            return;
        }
        ++at_;
        add(TokenKind::Operator, std::string(1, c));
    }

    void newline() {
        ++at_;
        // A line that ends with an operator, or is followed by ".method", goes on.
        if (!tokens_.empty() && tokens_.back().kind != TokenKind::Newline && !line_goes_on())
            add(TokenKind::Newline, "\n");
        ++line_;
        space_ = true;
        for (const Heredoc& one : std::exchange(heredocs_, {})) read_heredoc(one);
    }

    bool line_goes_on() const {
        std::size_t next = at_;
        while (next < source_.size() &&
               (is_blank(source_[next]) || source_[next] == '\n' || source_[next] == '#')) {
            if (source_[next] == '#')
                next = std::min(source_.find('\n', next), source_.size());
            else
                ++next;
        }
        const std::string_view rest = source_.substr(next);
        if (heredocs_.empty() && rest.starts_with(".") && !rest.starts_with("..")) return true;
        if (heredocs_.empty() && rest.starts_with("&.")) return true;
        const Token& last = tokens_.back();
        if (last.kind != TokenKind::Operator)
            return last.is_keyword("and") || last.is_keyword("or") || last.is_keyword("not");
        return last.text != ")" && last.text != "]" && last.text != "}" && last.text != "|" &&
               last.text != "?" && last.text != "!";
    }

    void name() {
        const std::size_t begin = at_;
        while (is_name_part(peek())) ++at_;
        if ((peek() == '?' || peek() == '!') && peek(1) != '=') ++at_;
        std::string text(source_.substr(begin, at_ - begin));
        const bool after_dot =
            !tokens_.empty() && (tokens_.back().is_operator(".") || tokens_.back().is_operator("&."));
        const bool after_def = !tokens_.empty() && tokens_.back().is_keyword("def");
        const bool ternary = !tokens_.empty() && tokens_.back().is_operator("?");
        if (peek() == ':' && peek(1) != ':' && !after_dot && !ternary) {
            ++at_;
            add(TokenKind::Label, std::move(text));
            return;
        }
        const bool keyword = std::find(keywords.begin(), keywords.end(), text) != keywords.end();
        // "def self.x" keeps its keyword; "def end" does not.
        if (keyword && !after_dot && !(after_def && text != "self")) {
            add(TokenKind::Keyword, std::move(text));
        } else {
            const bool constant = text[0] >= 'A' && text[0] <= 'Z';
            add(constant ? TokenKind::Constant : TokenKind::Identifier, std::move(text));
        }
    }

    void number() {
        const std::size_t begin = at_;
        const auto in_exponent = [this] {
            const char last = source_[at_ - 1];
            return (last == 'e' || last == 'E') && (peek() == '-' || peek() == '+') && is_digit(peek(1));
        };
        const bool hexadecimal = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
        while (is_name_part(peek()) || (peek() == '.' && is_digit(peek(1))) ||
               (at_ > begin && !hexadecimal && in_exponent()))
            ++at_;
        add(TokenKind::Number, std::string(source_.substr(begin, at_ - begin)));
    }

    void variable() {
        const std::size_t begin = at_++;
        while (peek() == '@') ++at_;
        if (is_name_part(peek())) {
            while (is_name_part(peek())) ++at_;
        } else if (at_ < source_.size()) {
            ++at_;  // $! and its kind
        }
        add(TokenKind::Variable, std::string(source_.substr(begin, at_ - begin)));
    }

    void count_lines(std::size_t begin) {
        const auto from = source_.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto to = source_.begin() + static_cast<std::ptrdiff_t>(std::min(at_, source_.size()));
        line_ += static_cast<std::uint32_t>(std::count(from, to, '\n'));
    }

    void quoted(char quote) {
        const std::size_t begin = at_++;
        auto pieces = scan_text(source_, at_, {quote, quote, quote != '\'', false});
        const bool label = quote != '`' && peek() == ':' && peek(1) != ':' && !tokens_.empty() &&
                           (tokens_.back().is_operator("{") || tokens_.back().is_operator(",") ||
                            tokens_.back().is_operator("("));
        if (label && (pieces.empty() || (pieces.size() == 1 && !pieces[0].code && !pieces[0].unknown))) {
            ++at_;
            add(TokenKind::Label, pieces.empty() ? "" : pieces.front().text);
        } else {
            add(quote == '`' ? TokenKind::ShellCommand : TokenKind::Text, "", std::move(pieces));
        }
        count_lines(begin);
    }

    bool symbol() {
        const std::size_t begin = at_;
        const char next = peek(1);
        if (next == '"' || next == '\'') {
            at_ += 2;
            add(TokenKind::Symbol, "", scan_text(source_, at_, {next, next, next == '"', false}));
            count_lines(begin);
            return true;
        }
        std::size_t end = at_ + 1;
        if (is_name_start(next) || next == '@' || next == '$') {
            while (end < source_.size() && (source_[end] == '@' || source_[end] == '$')) ++end;
            while (end < source_.size() && is_name_part(source_[end])) ++end;
            const char last = end < source_.size() ? source_[end] : '\0';
            const char after = end + 1 < source_.size() ? source_[end + 1] : '\0';
            if ((last == '?' || last == '!') && after != '=') ++end;
            if (last == '=' && after != '=' && after != '>' && after != '~') ++end;
        } else if (expects_value() && source_.substr(end).starts_with("[]")) {
            end += 2;
        } else if (expects_value() &&
                   std::string_view("+-*/<>=!%&|^~").find(next) != std::string_view::npos) {
            while (end < source_.size() &&
                   std::string_view("+-*/<>=!%&|^~").find(source_[end]) != std::string_view::npos)
                ++end;
        } else {
            return false;
        }
        add(TokenKind::Symbol, "", {{false, std::string(source_.substr(begin + 1, end - begin - 1))}});
        at_ = end;
        return true;
    }

    void pattern(char open, char close, std::size_t width) {
        const std::size_t begin = at_;
        at_ += width;
        auto pieces = scan_text(source_, at_, {open, close, true, true});
        std::string flags;
        while (peek() >= 'a' && peek() <= 'z') flags += source_[at_++];
        add(TokenKind::Pattern, std::move(flags), std::move(pieces));
        count_lines(begin);
    }

    bool percent() {
        const std::size_t begin = at_;
        char kind = peek(1);
        std::size_t width = 3;
        if (std::string_view("([{<|!/").find(kind) != std::string_view::npos && kind != '\0') {
            kind = 'Q';
            width = 2;
        } else if (kind == '\0' || std::string_view("wWiIqQrsx").find(kind) == std::string_view::npos) {
            return false;
        }
        const char open = peek(width - 1);
        if (open <= ' ' || is_name_part(open)) return false;
        const char close = closing_delimiter(open);
        if (kind == 'r') {
            pattern(open, close, width);
            return true;
        }
        at_ += width;
        if (kind == 'w' || kind == 'W' || kind == 'i' || kind == 'I') {
            const TokenKind words = kind == 'w' || kind == 'W' ? TokenKind::Words : TokenKind::SymbolWords;
            const bool interpolate = kind == 'W' || kind == 'I';
            add(words, "", scan_words(source_, at_, {open, close, interpolate, false}));
        } else {
            const TokenKind text = kind == 's'   ? TokenKind::Symbol
                                   : kind == 'x' ? TokenKind::ShellCommand
                                                 : TokenKind::Text;
            add(text, "", scan_text(source_, at_, {open, close, kind == 'Q', false}));
        }
        count_lines(begin);
        return true;
    }

    bool heredoc() {
        std::size_t next = at_ + 2;
        const auto character = [this](std::size_t i) { return i < source_.size() ? source_[i] : '\0'; };
        const bool strip = character(next) == '~';
        const bool indented = strip || character(next) == '-';
        if (indented) ++next;
        const char quote = character(next) == '"' || character(next) == '\'' ? character(next) : '\0';
        if (quote) ++next;
        const std::size_t begin = next;
        while (next < source_.size() && is_name_part(source_[next])) ++next;
        if (next == begin || (!indented && !quote && !(character(begin) >= 'A' && character(begin) <= 'Z')))
            return false;
        // "list << NAME" shifts; "desc <<-NAME" begins a text.
        if (!expects_value() && !(space_ && (indented || tokens_.back().kind == TokenKind::Identifier)))
            return false;
        std::string name(source_.substr(begin, next - begin));
        if (quote && character(next) == quote) ++next;
        at_ = next;
        add(TokenKind::Text, "");
        heredocs_.push_back({tokens_.size() - 1, std::move(name), quote != '\'', indented, strip});
        return true;
    }

    void read_heredoc(const Heredoc& heredoc) {
        std::vector<std::string_view> lines;
        bool closed = false;
        while (at_ < source_.size() && !closed) {
            const std::size_t end = std::min(source_.find('\n', at_), source_.size());
            const std::string_view text = source_.substr(at_, end - at_);
            at_ = std::min(end + 1, source_.size());
            ++line_;
            std::string_view bare = text;
            while (heredoc.indented && !bare.empty() && is_blank(bare.front())) bare.remove_prefix(1);
            while (!bare.empty() && bare.back() == '\r') bare.remove_suffix(1);
            closed = bare == heredoc.name;
            if (!closed) lines.push_back(text);
        }
        const std::size_t indent = heredoc.strip ? common_indent(lines) : 0;
        std::string body;
        for (const std::string_view line : lines) {
            body += without_indent(line, indent);
            body += '\n';
        }
        // The newline token stands after the heredoc's, so that the text can be put in place.
        std::size_t place = 0;
        std::vector<Piece>& pieces = tokens_[heredoc.token].pieces;
        pieces = heredoc.interpolate ? scan_text(body, place, {'\0', '\0', true, false})
                                     : std::vector<Piece>{{false, body}};
        if (!closed) pieces.push_back({.unknown = true});
    }

    /// How far the lines of "<<~" that are not blank are indented at least; a tab goes to the next multiple
    /// of 8.
    static std::size_t common_indent(const std::vector<std::string_view>& lines) {
        std::size_t least = std::string_view::npos;
        for (const std::string_view line : lines) {
            std::size_t width = 0;
            std::size_t i = 0;
            for (; i < line.size() && (line[i] == ' ' || line[i] == '\t'); ++i)
                width = line[i] == '\t' ? (width / 8 + 1) * 8 : width + 1;
            if (i < line.size()) least = std::min(least, width);
        }
        return least == std::string_view::npos ? 0 : least;
    }

    static std::string_view without_indent(std::string_view line, std::size_t indent) {
        std::size_t width = 0;
        while (width < indent && !line.empty() && (line[0] == ' ' || line[0] == '\t')) {
            const std::size_t next = line[0] == '\t' ? (width / 8 + 1) * 8 : width + 1;
            if (next > indent) break;
            width = next;
            line.remove_prefix(1);
        }
        return line;
    }

    std::string_view source_;
    std::size_t at_ = 0;
    std::uint32_t line_;
    bool space_ = false;
    std::vector<Token> tokens_;
    std::vector<Heredoc> heredocs_;
};

}  // namespace

std::vector<Token> tokenize(std::string_view source, std::uint32_t line) {
    std::vector<Token> tokens = Lexer(source, line).run();
    pair_tokens(tokens);
    return tokens;
}

}  // namespace volley::ruby_source
