#include "language/text/ruby_number.hpp"

#include <cstdlib>
#include <string>

#include "language/syntax/lexer/characters.hpp"

namespace volley {
namespace {

bool is_space_around(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool is_hexadecimal(char c) {
    const char small = static_cast<char>(c | 0x20);
    return is_digit(c) || (small >= 'a' && small <= 'f');
}

/// Takes a number from the front of a text; `plain` is what strtod() understands of it.
struct RubyFloatReader {
    std::string_view rest;
    std::string plain;

    bool starts(char c, std::size_t at = 0) const { return at < rest.size() && rest[at] == c; }
    bool digit(std::size_t at = 0) const { return at < rest.size() && is_digit(rest[at]); }
    void take(std::size_t count = 1) {
        plain += rest.substr(0, count);
        rest.remove_prefix(count);
    }
    void sign() {
        if (starts('-') || starts('+')) take();
    }
    /// Digits, with single underscores between them.
    bool digits() {
        if (!digit()) return false;
        while (digit() || (starts('_') && digit(1))) {
            if (starts('_')) rest.remove_prefix(1);
            take();
        }
        return true;
    }
    bool hexadecimal_digits() {
        const std::size_t before = rest.size();
        while (!rest.empty() && is_hexadecimal(rest[0])) take();
        return rest.size() < before;
    }
    /// With its letter, when digits follow.
    bool exponent(char letter) {
        if (rest.empty() || (rest[0] | 0x20) != letter) return false;
        const std::size_t first = starts('-', 1) || starts('+', 1) ? 2 : 1;
        if (!digit(first)) return false;
        take(first);
        return digits();
    }
    bool decimal() {
        const bool whole = digits();
        const bool fraction = starts('.') && digit(1);
        if (!whole && !fraction) return false;
        if (fraction) {
            if (!whole) plain += '0';
            take();
            digits();
        }
        exponent('e');
        return true;
    }
    /// Compatibility: a fraction is only a number together with an exponent.
    bool hexadecimal() {
        take(2);
        if (!hexadecimal_digits()) return false;
        if (!starts('.')) {
            exponent('p');
            return true;
        }
        take();
        return hexadecimal_digits() && exponent('p');
    }
    bool is_marked() const { return starts('0') && (starts('x', 1) || starts('X', 1)); }
    double value() const { return std::strtod(plain.c_str(), nullptr); }
};

RubyFloatReader reader_of(std::string_view text) {
    while (!text.empty() && is_space_around(text.front())) text.remove_prefix(1);
    return {text, {}};
}

}  // namespace

std::optional<double> ruby_float(std::string_view text) {
    while (!text.empty() && is_space_around(text.back())) text.remove_suffix(1);
    RubyFloatReader reader = reader_of(text);
    reader.sign();
    const bool number = reader.is_marked() ? reader.hexadecimal() : reader.decimal();
    return number && reader.rest.empty() ? std::optional(reader.value()) : std::nullopt;
}

double ruby_leading_float(std::string_view text) {
    RubyFloatReader reader = reader_of(text);
    reader.sign();
    return reader.decimal() ? reader.value() : 0.0;
}

}  // namespace volley
