#include "language/syntax/lexer/lexer.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_map>

#include "language/syntax/lexer/characters.hpp"
#include "language/text/regexp.hpp"
#include "support/unicode/utf8.hpp"

namespace volley {
namespace {

const std::unordered_map<std::string_view, TokenKind>& keywords() {
    static const std::unordered_map<std::string_view, TokenKind> table{
        {"case", TokenKind::Case},
        {"class", TokenKind::Class},
        {"default", TokenKind::Default},
        {"define", TokenKind::Define},
        {"if", TokenKind::If},
        {"elsif", TokenKind::Elsif},
        {"else", TokenKind::Else},
        {"inherits", TokenKind::Inherits},
        {"node", TokenKind::Node},
        {"and", TokenKind::And},
        {"or", TokenKind::Or},
        {"undef", TokenKind::Undef},
        {"false", TokenKind::Boolean},
        {"true", TokenKind::Boolean},
        {"in", TokenKind::In},
        {"unless", TokenKind::Unless},
        {"function", TokenKind::Function},
        {"type", TokenKind::Type},
        {"attr", TokenKind::Attr},
        {"private", TokenKind::Private},
    };
    return table;
}

struct Operator {
    std::string_view text;
    TokenKind kind;
};

// Those that begin alike stand together, the longest first.
constexpr Operator operators[] = {
    {"<<|", TokenKind::LlCollect}, {"<<", TokenKind::LShift},       {"<=", TokenKind::LessEqual},
    {"<|", TokenKind::LCollect},   {"<-", TokenKind::OutEdge},      {"<~", TokenKind::OutEdgeSub},
    {"<", TokenKind::LessThan},    {"|>>", TokenKind::RrCollect},   {"|>", TokenKind::RCollect},
    {"|", TokenKind::Pipe},        {"@@", TokenKind::AtAt},         {"@", TokenKind::At},
    {"==", TokenKind::IsEqual},    {"=>", TokenKind::FArrow},       {"=~", TokenKind::Match},
    {"=", TokenKind::Equals},      {"+=", TokenKind::Appends},      {"+>", TokenKind::PArrow},
    {"+", TokenKind::Plus},        {"->", TokenKind::InEdge},       {"-=", TokenKind::Deletes},
    {"-", TokenKind::Minus},       {"!=", TokenKind::NotEqual},     {"!~", TokenKind::NoMatch},
    {"!", TokenKind::Not},         {"~>", TokenKind::InEdgeSub},    {"~", TokenKind::Tilde},
    {">>", TokenKind::RShift},     {">=", TokenKind::GreaterEqual}, {">", TokenKind::GreaterThan},
    {".", TokenKind::Dot},         {",", TokenKind::Comma},         {"]", TokenKind::RBrack},
    {")", TokenKind::RParen},      {";", TokenKind::Semic},         {"?", TokenKind::QMark},
    {"*", TokenKind::Times},       {"%", TokenKind::Modulo},
};

/// The first operator that begins with each ASCII character; past the end of the table for the others.
constexpr auto first_operators = [] {
    std::array<std::uint8_t, 128> first{};
    first.fill(std::size(operators));
    for (std::size_t i = std::size(operators); i-- > 0;)
        first[static_cast<std::size_t>(operators[i].text[0])] = static_cast<std::uint8_t>(i);
    return first;
}();

}  // namespace

Lexer::Lexer(const Source& source, Arena& arena, LexerOptions options)
    : source_(source), arena_(arena), options_(options), text_(source.text()) {}

Token Lexer::next() {
    if (!started_) {
        started_ = true;
        if (options_.epp) {
            epp_ = EppMode::Text;
            push(TokenKind::EppStart, 0, 0, "");
            lex_template(false);
        } else {
            skip_blank();
        }
    }
    while (queue_.empty() && !at_end()) lex_one();
    if (queue_.empty()) {
        if (epp_open_) fail("EPP_UNBALANCED_TAG", "Unbalanced epp tag, reached <eof> without closing tag.");
        const auto end = static_cast<std::uint32_t>(text_.size());
        return {TokenKind::EndOfInput, {end, 0}, {}};
    }
    const Token token = queue_.front();
    queue_.pop_front();
    after_ = token.kind;
    return token;
}

void Lexer::lex_one() {
    const char c = peek();
    if (is_digit(c)) return lex_number();
    if (is_lower(c) || c == '_') return lex_word();
    if (is_upper(c)) return lex_class_reference();
    switch (c) {
        case ' ':
        case '\t':
        case '\r':
            return lex_blank();
        case '\n':
            return lex_newline();
        case '[':
            return lex_open_bracket();
        case '(':
            return lex_open_parenthesis();
        case '{':
            ++braces_;
            return emit(after_ == TokenKind::QMark ? TokenKind::SelBrace : TokenKind::LBrace, 1);
        case '}':
            --braces_;
            return emit(TokenKind::RBrace, 1);
        case '#':
        case '/':
            return lex_comment_or_division();
        case ':':
            return lex_colon();
        case '$':
            return lex_variable();
        case '"':
            return interpolate_first(Slurp::DoubleQuoted);
        case '\'':
            return lex_single_quoted();
        case '@':
            if (peek(1) == '(') return lex_heredoc();
            break;
        case '%':
        case '-':
            if (lex_template_end()) return;
            break;
        default:
            break;
    }
    lex_operator();
}

void Lexer::lex_blank() { skip_blank(); }

bool Lexer::skip_blank() {
    const std::size_t begin = position_;
    while (!at_end()) {
        const std::size_t length = peek() == '\r' ? 1 : blank_length(rest());
        if (length == 0) break;
        position_ += length;
    }
    matched_ = text_.substr(begin, position_ - begin);
    return position_ > begin;
}

void Lexer::lex_newline() {
    if (newline_jump_ != 0) {
        position_ = newline_jump_;
        newline_jump_ = 0;
    } else {
        ++position_;
    }
    line_start_ = position_;
}

void Lexer::lex_comment_or_division() {
    if (peek() == '#') {
        const std::size_t end = std::min(text_.find('\n', position_), text_.size());
        matched_ = text_.substr(position_, end - position_);
        position_ = end;
    } else if (peek(1) == '*') {
        const std::size_t end = text_.find("*/", position_ + 2);
        if (end == std::string_view::npos) fail("UNCLOSED_MLCOMMENT", "Unclosed multiline comment");
        position_ = end + 2;
    } else {
        lex_regexp_or_division();
    }
}

bool Lexer::regexp_acceptable() const noexcept {
    switch (after_) {
        case TokenKind::RParen:
        case TokenKind::RBrack:
        case TokenKind::RrCollect:
        case TokenKind::RCollect:
        case TokenKind::Name:
        case TokenKind::ClassRef:
        case TokenKind::Number:
        case TokenKind::String:
        case TokenKind::Boolean:
        case TokenKind::DqPre:
        case TokenKind::DqMid:
        case TokenKind::DqPost:
        case TokenKind::Heredoc:
        case TokenKind::Regex:
        case TokenKind::Variable:
        case TokenKind::Word:
            return false;
        default:
            return true;
    }
}

void Lexer::lex_regexp_or_division() {
    if (!regexp_acceptable()) return emit(TokenKind::Div, 1);
    const std::size_t begin = position_;
    std::string pattern;
    for (std::size_t at = begin + 1; at < text_.size(); ++at) {
        const char c = text_[at];
        if (c == '\\' && at + 1 < text_.size()) {
            if (text_[at + 1] != '/') pattern += c;
            pattern += text_[++at];
        } else if (c == '/') {
            matched_ = text_.substr(begin, at + 1 - begin);
            position_ = at + 1;
            try {
                Regexp::compile(pattern);
            } catch (const EvalError& error) {
                fail("INVALID_REGEXP", error.what(), begin);
            }
            return push(TokenKind::Regex, begin, position_, arena_.copy(pattern));
        } else {
            pattern += c;
        }
    }
    emit(TokenKind::Div, 1);
}

void Lexer::lex_open_bracket() {
    const bool starts_list = position_ == 0 || ends_with_space(text_.substr(0, position_));
    emit(starts_list ? TokenKind::ListStart : TokenKind::LBrack, 1);
}

void Lexer::lex_open_parenthesis() {
    std::string_view before = text_.substr(line_start_, position_ - line_start_);
    while (!before.empty()) {
        const std::size_t length = before[0] == '\r' ? 1 : blank_length(before);
        if (length == 0) break;
        before.remove_prefix(length);
    }
    emit(before.empty() ? TokenKind::WsLParen : TokenKind::LParen, 1);
}

void Lexer::lex_operator() {
    const auto character = static_cast<unsigned char>(peek());
    for (std::size_t i = character < 128 ? first_operators[character] : std::size(operators);
         i < std::size(operators) && operators[i].text[0] == peek(); ++i) {
        if (rest().starts_with(operators[i].text)) return emit(operators[i].kind, operators[i].text.size());
    }
    if (skip_blank()) return;
    push(TokenKind::Other, position_, position_ + 1, "");
    ++position_;
}

std::size_t Lexer::scan_class_reference() {
    std::size_t at = position_;
    for (;;) {
        const std::size_t name = text_.substr(at).starts_with("::") ? at + 2 : at;
        if (name >= text_.size() || !is_upper(text_[name])) break;
        at = name;
        while (at < text_.size() && is_word(text_[at])) ++at;
    }
    return at;
}

void Lexer::lex_class_reference() {
    const std::size_t begin = position_;
    position_ = scan_class_reference();
    matched_ = text_.substr(begin, position_ - begin);
    if (rest().starts_with("::")) fail("ILLEGAL_CLASS_REFERENCE", "Illegal class reference", position_ + 1);
    push(TokenKind::ClassRef, begin, position_, matched_);
}

std::size_t Lexer::scan_bare_word() const {
    std::size_t at = position_;
    for (;;) {
        const std::size_t name = text_.substr(at).starts_with("::") ? at + 2 : at;
        if (name >= text_.size() || !(is_lower(text_[name]) || text_[name] == '_')) return at;
        std::size_t end = name + 1;
        for (std::size_t i = end; i < text_.size() && (is_word(text_[i]) || text_[i] == '-'); ++i) {
            if (text_[i] != '-') end = i + 1;
        }
        at = end;
    }
}

void Lexer::lex_word() {
    const std::size_t begin = position_;
    position_ = scan_bare_word();
    const std::string_view word = matched_ = text_.substr(begin, position_ - begin);
    if (const auto found = keywords().find(word); found != keywords().end()) {
        return push(found->second, begin, position_, word);
    }
    if (options_.tasks && word == "plan") return push(TokenKind::Plan, begin, position_, word);
    if (options_.tasks && word == "apply") return push(TokenKind::Apply, begin, position_, word);
    // A name is made of segments that begin with a letter; with a hyphen or an underscore it is a bare word.
    bool name = word.find('-') == std::string_view::npos && word[0] != '_';
    for (std::size_t at = word.find("::"); name && at != std::string_view::npos;
         at = word.find("::", at + 2)) {
        name = is_lower(word[at + 2]);
    }
    push(name ? TokenKind::Name : TokenKind::Word, begin, position_, word);
}

void Lexer::lex_colon() {
    if (peek(1) != ':') return emit(TokenKind::Colon, 1);
    const std::size_t begin = position_;
    if (is_upper(peek(2))) {
        position_ = scan_class_reference();
        if (rest().starts_with("::")) {
            fail("ILLEGAL_FULLY_QUALIFIED_CLASS_REFERENCE", "Illegal fully qualified class reference",
                 position_ + 3);
        }
        return push(TokenKind::ClassRef, begin, position_, text_.substr(begin, position_ - begin));
    }
    if (!is_lower(peek(2)) && peek(2) != '_') {
        fail("ILLEGAL_FULLY_QUALIFIED_NAME", "Illegal fully qualified name", begin + 2);
    }
    lex_word();
}

std::size_t Lexer::scan_variable_name(std::size_t at) const {
    const std::size_t begin = at;
    if (text_.substr(at).starts_with("::")) at += 2;
    std::size_t end = begin;
    for (;;) {
        const std::size_t segment = at;
        while (at < text_.size() && is_word(text_[at])) ++at;
        if (at == segment) return end;
        end = at;
        if (!text_.substr(at).starts_with("::")) return end;
        at += 2;
    }
}

void Lexer::lex_variable() {
    const std::size_t begin = position_;
    const std::size_t end = std::max(scan_variable_name(begin + 1), begin + 1);
    position_ = end;
    matched_ = text_.substr(begin, end - begin);
    push(TokenKind::Variable, begin, end, matched_.substr(1));
}

void Lexer::push(TokenKind kind, std::size_t begin, std::size_t end, std::string_view text) {
    Span span{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin)};
    if (origin_) span = origin_->to_source(span);
    queue_.push_back({kind, span, text});
}

void Lexer::emit(TokenKind kind, std::size_t length) {
    const std::size_t begin = position_;
    position_ += length;
    push(kind, begin, position_, text_.substr(begin, length));
}

std::string Lexer::followed_by() const {
    if (at_end()) return "<eof>";
    std::string result;
    std::size_t characters = 0;
    for (const char c : rest()) {
        if (!continues_character(c) && ++characters > 5) break;
        if (c == '\t')
            result += "\\t";
        else if (c == '\n')
            result += "\\n";
        else if (c == '\r')
            result += "\\r";
        else
            result += c;
    }
    return result + "...";
}

Location Lexer::locate(std::size_t at) const {
    if (!origin_) return source_.location(static_cast<std::uint32_t>(at));
    // Compatibility: Puppet counts lines from the start of the heredoc's text here.
    const auto line = line_of(origin_->lines, static_cast<std::uint32_t>(at));
    return {source_.file(), static_cast<int>(line), static_cast<int>(at - origin_->lines[line - 1]) + 1};
}

void Lexer::fail(std::string_view issue, const std::string& message, std::optional<std::size_t> at) const {
    throw ParseError(issue, message, locate(at.value_or(position_)));
}

void Lexer::warn(std::string_view issue, const std::string& message) {
    diagnostics_.push_back({Severity::Warning, std::string(issue), message, locate(position_)});
}

}  // namespace volley
