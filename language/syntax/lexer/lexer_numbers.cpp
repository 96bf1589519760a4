#include <algorithm>

#include "language/syntax/lexer/characters.hpp"
#include "language/syntax/lexer/lexer.hpp"
#include "language/text/regexp.hpp"
#include "support/unicode/utf8.hpp"

namespace volley {
namespace {

std::size_t digits_from(std::string_view text, std::size_t at) {
    while (at < text.size() && is_digit(text[at])) ++at;
    return at;
}

bool all_digits(std::string_view text) { return !text.empty() && digits_from(text, 0) == text.size(); }

/// The end of an exponent that begins at `at`; `at` itself when there is none.
std::size_t exponent_from(std::string_view text, std::size_t at) {
    if (at >= text.size() || (text[at] != 'e' && text[at] != 'E')) return at;
    const std::size_t digits = at + 1 < text.size() && text[at + 1] == '-' ? at + 2 : at + 1;
    const std::size_t end = digits_from(text, digits);
    return end > digits ? end : at;
}

std::size_t fraction_from(std::string_view text, std::size_t at) {
    if (at >= text.size() || text[at] != '.') return at;
    const std::size_t end = digits_from(text, at + 1);
    return end > at + 1 ? end : at;
}

bool is_decimal(std::string_view text) {
    const std::size_t whole = digits_from(text, 0);
    return whole > 0 && exponent_from(text, fraction_from(text, whole)) == text.size();
}

bool is_octal(std::string_view text) {
    return text.size() > 1 && text[0] == '0' &&
           std::all_of(text.begin() + 1, text.end(), [](char c) { return c >= '0' && c <= '7'; });
}

/// Whether a character of a word follows, which beyond ASCII may be one of any script.
bool word_follows(std::string_view text, std::size_t at) {
    if (at >= text.size()) return false;
    if (static_cast<unsigned char>(text[at]) < 0x80) return is_word(text[at]);
    static const Ref<const Regexp> letter = Regexp::compile("\\A[[:word:]]");
    return letter->matches(text.substr(at, utf8_length_from(text[at])));
}

}  // namespace

/// The end of the number at the current position; the position itself when there is none that ends at a word
/// boundary. A shorter reading is taken when a longer one runs into a letter.
std::size_t Lexer::scan_number() const {
    const auto bounded = [this](std::size_t end) { return !word_follows(text_, end); };
    if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'X')) {
        std::size_t end = position_ + 2;
        while (end < text_.size() && is_hex(text_[end])) ++end;
        if (end > position_ + 2 && bounded(end)) return end;
    }
    const std::size_t whole = digits_from(text_, position_);
    const std::size_t fraction = fraction_from(text_, whole);
    for (const std::size_t end :
         {exponent_from(text_, fraction), fraction, exponent_from(text_, whole), whole}) {
        if (bounded(end)) return end;
    }
    return position_;
}

void Lexer::lex_number() {
    const std::size_t begin = position_;
    const std::size_t end = scan_number();
    if (end > begin) {
        const std::string_view number = matched_ = text_.substr(begin, end - begin);
        assert_numeric(number, begin);
        position_ = end;
        return push(TokenKind::Number, begin, end, number);
    }
    std::size_t word_end = begin;
    while (word_end < text_.size() && is_word(text_[word_end])) ++word_end;
    // Report the number as a whole when this was its fraction.
    std::size_t start = begin;
    if (begin > 1 && text_[begin - 1] == '.') {
        for (std::size_t at = begin - 2; is_digit(text_[at]); --at) {
            start = at;
            if (at == 0) break;
        }
    }
    const std::string_view number = text_.substr(start, word_end - start);
    position_ = word_end;
    assert_numeric(number, start);
    fail("ILLEGAL_NUMBER", "Illegal number '" + std::string(number) + "'", start + 1);
}

void Lexer::assert_numeric(std::string_view text, std::size_t at) const {
    const std::string value(text);
    const std::size_t digits = digits_from(text, 0);
    if (text.starts_with("0x") || text.starts_with("0X")) {
        const std::string_view hex = text.substr(2);
        if (hex.empty() || !std::all_of(hex.begin(), hex.end(), is_hex)) {
            fail("INVALID_HEX_NUMBER", "Not a valid hex number " + value, at);
        }
    } else if (text.size() > 1 && text[0] == '0' && text[1] != '.') {
        if (!is_octal(text)) fail("INVALID_OCTAL_NUMBER", "Not a valid octal number " + value, at);
    } else if (digits < text.size() && (text[digits] == 'e' || text[digits] == 'E' || text[digits] == '.')) {
        if (!is_decimal(text)) fail("INVALID_DECIMAL_NUMBER", "Not a valid decimal number " + value, at);
    } else if (!all_digits(text)) {
        fail("ILLEGAL_NUMBER", "Illegal number '" + value + "'", at);
    }
}

}  // namespace volley
