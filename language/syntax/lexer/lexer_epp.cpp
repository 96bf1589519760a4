#include "language/syntax/lexer/characters.hpp"
#include "language/syntax/lexer/lexer.hpp"

namespace volley {
namespace {

/// The text after "-%>" loses the rest of its line when only blanks are there.
std::string_view without_leading_break(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
    std::size_t end = at;
    if (end < text.size() && text[end] == '\r') ++end;
    if (end < text.size() && text[end] == '\n') ++end;
    return text.substr(end);
}

void cut_trailing_blanks(std::string& text) {
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.pop_back();
}

void append_text(std::string& out, std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text.substr(at).starts_with("%%>")) ++at;
        out += text[at];
    }
}

}  // namespace

/// "%>" and "-%>" end a tag when they stand in a template's code.
bool Lexer::lex_template_end() {
    if (epp_ == EppMode::Off) return false;
    const bool trim = rest().starts_with("-%>");
    if (!trim && !rest().starts_with("%>")) return false;
    const std::size_t begin = position_;
    position_ += trim ? 3 : 2;
    if (epp_ == EppMode::Expression) {
        push(trim ? TokenKind::EppEndTrim : TokenKind::EppEnd, begin, position_,
             text_.substr(begin, position_ - begin));
    }
    if (!trim) epp_ = EppMode::Text;
    lex_template(trim);
    return true;
}

/// Reads template text up to the next tag that holds code. Spec "Templates".
void Lexer::lex_template(bool trim_leading) {
    const std::size_t begin = position_;
    std::string text;
    const auto render = [&] {
        if (!text.empty()) push(TokenKind::RenderString, begin, position_, arena_.copy(text));
    };
    while (!at_end()) {
        const std::size_t tag = text_.find("<%", position_);
        const std::size_t text_end = std::min(tag, text_.size());
        std::string_view part = text_.substr(position_, text_end - position_);
        if (trim_leading) part = without_leading_break(part);
        trim_leading = false;
        append_text(text, part);
        if (tag == std::string_view::npos) {
            position_ = text_.size();
            push(TokenKind::RenderString, begin, position_, arena_.copy(text));  // even when it is empty
            break;
        }
        position_ = tag + 2;
        if (at_end()) {
            fail("EPP_UNBALANCED_EXPRESSION",
                 "Unbalanced embedded expression - opening <% and reaching end of input");
        }
        const char mark = peek();
        if (mark == '%') {  // "<%%" is the text "<%"
            ++position_;
            text += "<%";
            continue;
        }
        if (mark == '#') {
            std::size_t close = text_.find("%>", position_ + 1);
            while (close != std::string_view::npos && text_[close - 1] == '%')
                close = text_.find("%>", close + 1);
            if (close == std::string_view::npos) {
                fail("EPP_UNBALANCED_COMMENT", "Reaching end after opening <%# without seeing %>");
            }
            if (peek(1) == '-') cut_trailing_blanks(text);
            trim_leading = text_[close - 1] == '-';
            position_ = close + 2;
            continue;
        }
        if (mark == '-') {
            ++position_;
            cut_trailing_blanks(text);
        }
        if (mark == '=') ++position_;
        render();
        if (mark == '=') push(TokenKind::RenderExpr, begin, begin, "");
        epp_ = mark == '=' ? EppMode::Expression : EppMode::Code;
        epp_open_ = true;
        return;
    }
    // Compatibility: the text before a comment or "<%%" that ends the template is lost.
    epp_open_ = false;
}

}  // namespace volley
