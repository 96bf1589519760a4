#include <algorithm>

#include "language/syntax/lexer/characters.hpp"
#include "language/syntax/lexer/lexer.hpp"
#include "support/text.hpp"

namespace volley {
namespace {

/// What stands between "@(" and ")".
struct HeredocTag {
    std::string end_tag;
    std::string syntax;
    std::string escapes;
    bool has_escapes = false;
};

std::size_t skip_blanks(std::string_view text, std::size_t at) {
    while (at < text.size()) {
        const std::size_t length = blank_length(text.substr(at));
        if (length == 0) break;
        at += length;
    }
    return at;
}

/// Spec "Heredoc": @(endtag[:syntax][/escapes]). False when the text between the parentheses is not that.
bool parse_tag(std::string_view inside, HeredocTag& tag) {
    std::size_t at = inside.find_first_of(":/\r\n");
    at = std::min(at, inside.size());
    if (at == 0) return false;
    tag.end_tag = trim(inside.substr(0, at));
    if (at < inside.size() && inside[at] == ':') {
        at = skip_blanks(inside, at + 1);
        const std::size_t begin = at;
        const auto in_syntax = [](char c) {
            return is_lower(c) || is_upper(c) || is_digit(c) || c == '_' || c == '+';
        };
        while (at < inside.size() && in_syntax(inside[at])) ++at;
        if (at - begin < 2 || !is_lower(inside[begin])) return false;
        tag.syntax = inside.substr(begin, at - begin);
        at = skip_blanks(inside, at);
    }
    if (at < inside.size() && inside[at] == '/') {
        const std::size_t begin = ++at;
        while (at < inside.size() && (is_word(inside[at]) || inside[at] == '$')) ++at;
        tag.escapes = inside.substr(begin, at - begin);
        tag.has_escapes = true;
        at = skip_blanks(inside, at);
    }
    return at == inside.size();
}

struct EndLine {
    std::string_view margin;
    bool has_margin = false;
    bool remove_break = false;
};

/// Whether a line ends the heredoc. Compatibility: text may stand before the tag, as long as the line ends
/// with it.
bool parse_end_line(std::string_view line, std::string_view end_tag, EndLine& found) {
    if (line.ends_with('\n')) line.remove_suffix(1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    for (std::size_t start = 0; start <= line.size(); ++start) {
        const std::size_t margin_end = skip_blanks(line, start);
        std::size_t at = margin_end;
        EndLine candidate;
        candidate.margin = line.substr(start, margin_end - start);
        if (at < line.size() && line[at] == '|') {
            candidate.has_margin = true;
            at = skip_blanks(line, at + 1);
        }
        const std::size_t before_dash = at;
        if (at < line.size() && line[at] == '-') {
            candidate.remove_break = true;
            at = skip_blanks(line, at + 1);
        }
        if (candidate.remove_break &&
            !line.substr(at).starts_with(end_tag)) {  // the dash may belong to the tag
            candidate.remove_break = false;
            at = before_dash;
        }
        if (!line.substr(at).starts_with(end_tag)) continue;
        if (skip_blanks(line, at + end_tag.size()) != line.size()) continue;
        found = candidate;
        return true;
    }
    return false;
}

}  // namespace

Lexer::Lexer(Lexer& outer, std::string_view text, const HeredocOrigin& origin, std::string escapes,
             bool interpolate_text)
    : source_(outer.source_),
      arena_(outer.arena_),
      options_{outer.options_.tasks, false},
      text_(text),
      origin_(&origin),
      heredoc_escapes_(std::move(escapes)),
      nesting_(outer.nesting_) {
    const bool dollar = heredoc_escapes_.find('$') != std::string::npos;
    interpolate_first(!interpolate_text ? Slurp::Everything
                      : dollar          ? Slurp::HeredocInterpolated
                                        : Slurp::HeredocNoDollarEscape);
}

Span HeredocOrigin::to_source(Span local) const {
    Span result{local.begin + offset, local.length};
    if (has_margin) {
        const auto taken_before = [this](std::size_t line) {
            std::uint32_t sum = 0;
            for (std::size_t i = 0; i < line && i < margins.size(); ++i) sum += margins[i];
            return sum;
        };
        const std::size_t first = line_of(lines, local.begin);
        const std::size_t last = line_of(lines, local.end());
        if (local.begin != 0) result.begin += taken_before(first);
        result.length += taken_before(last) - taken_before(first);
        if (local.begin == lines[first - 1] && first <= margins.size()) result.length += margins[first - 1];
    }
    return parent ? parent->to_source(result) : result;
}

std::string Lexer::heredoc_escapes(std::string_view letters) const {
    const std::string wanted(letters.empty() ? "trnsuL$" : letters);
    std::string sorted = wanted;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
        std::string listed;
        for (const char c : wanted) listed += (listed.empty() ? "" : ", ") + std::string(1, c);
        fail("HEREDOC_MULTIPLE_AT_ESCAPES",
             "An escape char for @() may only appear once. Got '" + listed + "'");
    }
    std::string result = "\\";
    for (const char c : wanted) {
        if (std::string_view("trnsu$").find(c) != std::string_view::npos)
            result += c;
        else if (c == 'L')
            result += '\n';
        else {
            fail("HEREDOC_INVALID_ESCAPE",
                 "Invalid heredoc escape char. Only t, r, n, s,  u, L, $ allowed. Got '" + std::string(1, c) +
                     "'");
        }
    }
    return result;
}

void Lexer::lex_heredoc() {
    const std::size_t begin = position_;
    const std::size_t close = text_.find(')', begin);
    if (close == std::string_view::npos) {
        fail("HEREDOC_UNCLOSED_PARENTHESIS",
             "Unclosed parenthesis after '@(' followed by '" + followed_by() + "'");
    }
    if (origin_) {
        fail("HEREDOC_IN_HEREDOC",
             "A heredoc cannot stand in an interpolation of another one, whose text its lines would be part "
             "of. "
             "Assign it to a variable before");
    }
    const std::size_t after = position_ = close + 1;
    HeredocTag tag;
    if (!parse_tag(text_.substr(begin + 2, close - begin - 2), tag)) {
        fail("HEREDOC_INVALID_SYNTAX", "Invalid syntax in heredoc expected @(endtag[:syntax][/escapes])");
    }
    bool interpolate_text = false;
    if (tag.end_tag.size() >= 2 && tag.end_tag.front() == '"' && tag.end_tag.back() == '"') {
        interpolate_text = true;
        tag.end_tag = std::string(trim(std::string_view(tag.end_tag).substr(1, tag.end_tag.size() - 2)));
    }
    if (tag.end_tag.empty()) fail("HEREDOC_EMPTY_ENDTAG", "Heredoc with an empty endtag");
    const std::string escapes = tag.has_escapes ? heredoc_escapes(tag.escapes) : std::string();
    push(TokenKind::Heredoc, begin, after, arena_.copy(tag.syntax));

    std::size_t at = newline_jump_;
    if (at == 0) {
        const std::size_t newline = text_.find('\n', after);
        if (newline == std::string_view::npos) {
            fail("HEREDOC_WITHOUT_TEXT", "Heredoc without any following lines of text");
        }
        at = newline + 1;
    }
    const std::size_t text_begin = at;
    std::vector<std::string_view> lines;
    EndLine end;
    for (;;) {
        if (at >= text_.size()) {
            fail("HEREDOC_WITHOUT_END_TAGGED_LINE", "Heredoc without end-tagged line", text_begin);
        }
        const std::size_t newline = text_.find('\n', at);
        const std::size_t next = newline == std::string_view::npos ? text_.size() : newline + 1;
        const std::string_view line = text_.substr(at, next - at);
        at = next;
        if (parse_end_line(line, tag.end_tag, end)) break;
        lines.push_back(line);
    }
    newline_jump_ = at;

    HeredocOrigin& origin = origins_.emplace_back();
    origin.parent = origin_;
    origin.offset = static_cast<std::uint32_t>(text_begin);
    origin.has_margin = end.has_margin;
    std::string content;
    for (std::string_view line : lines) {
        const bool cut = end.has_margin && !end.margin.empty() && line.starts_with(end.margin);
        if (cut) line.remove_prefix(end.margin.size());
        origin.margins.push_back(cut ? static_cast<std::uint32_t>(end.margin.size()) : 0);
        content += line;
    }
    if (end.remove_break && content.ends_with('\n')) {
        content.pop_back();
        if (content.ends_with('\r')) content.pop_back();
    }
    origin.lines = line_starts(content);
    Lexer inner(*this, arena_.copy(content), origin, escapes, interpolate_text);
    push(TokenKind::Sublocate, text_begin, at, "");
    for (Diagnostic& diagnostic : inner.diagnostics_) diagnostics_.push_back(std::move(diagnostic));
    queue_.insert(queue_.end(), inner.queue_.begin(), inner.queue_.end());
}

}  // namespace volley
