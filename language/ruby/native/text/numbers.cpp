#include "language/ruby/native/text/numbers.hpp"

#include <algorithm>
#include <cfloat>
#include <charconv>
#include <cmath>
#include <limits>

#include "language/ruby/native/arguments.hpp"
#include "language/text/text.hpp"

namespace volley::ruby {
namespace {

__extension__ typedef __int128 Wide;

[[noreturn]] void too_large() { throw NotNative{"a number beyond 64 bits"}; }

Object narrow(Wide number) {
    if (number > std::numeric_limits<std::int64_t>::max() ||
        number < std::numeric_limits<std::int64_t>::min())
        too_large();
    return Object(static_cast<std::int64_t>(number));
}

Wide floor_divide(Wide left, Wide right) {
    const Wide quotient = left / right;
    return quotient * right != left && (left < 0) != (right < 0) ? quotient - 1 : quotient;
}

// Ruby decides by the binary exponent whether rounding to so many digits changes anything.
bool rounds_to_itself(std::int64_t digits, int exponent) {
    constexpr int float_digits = DBL_DIG + 2;
    return digits >= float_digits - (exponent > 0 ? exponent / 4 : exponent / 3 - 1);
}
bool rounds_to_zero(std::int64_t digits, int exponent) {
    return digits < -(exponent > 0 ? exponent / 3 + 1 : exponent / 4);
}

double round_half_up(double number, double scale) {
    double rounded = std::round(number * scale);
    if (number > 0 && (rounded + 0.5) / scale <= number) rounded += 1;
    if (number < 0 && (rounded - 0.5) / scale >= number) rounded -= 1;
    return rounded / scale;
}

double round_down(double number, double scale) {
    const double below = std::floor(number * scale);
    const double above = (below + 1) / scale;
    return above > number ? below / scale : above;
}

double round_up(double number, double scale) {
    return std::ceil(number * scale) / scale;  // compatibility: 3.1 corrects the product for floor only
}

double round_digits(double number, std::int64_t digits, Rounding rounding) {
    if (rounding == Rounding::ToZero) rounding = number > 0 ? Rounding::Down : Rounding::Up;
    int exponent = 0;
    std::frexp(number, &exponent);
    if (rounds_to_itself(digits, exponent)) return number;
    const bool towards_zero = rounding == Rounding::HalfUp || (rounding == Rounding::Down) == (number > 0);
    if (towards_zero && rounds_to_zero(digits, exponent)) return 0.0;
    if (digits > 14) throw NotNative{"Float#round to so many digits"};
    const double scale = std::pow(10, static_cast<double>(digits));
    switch (rounding) {
        case Rounding::Down:
            return round_down(number, scale);
        case Rounding::Up:
            return round_up(number, scale);
        default:
            return round_half_up(number, scale);
    }
}

bool is_number_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

int digit_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'z') return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
    return 99;
}

/// What String#to_i and Integer() read alike.
struct IntegerReader {
    std::string_view text;
    std::size_t at = 0;
    int base = 10;
    bool negative = false;
    bool any = false;
    Wide number = 0;
    bool well_formed = true;

    void sign() {
        while (at < text.size() && is_number_space(text[at])) ++at;
        if (at < text.size() && (text[at] == '+' || text[at] == '-')) negative = text[at++] == '-';
    }
    /// "0x" and others, where the base allows them.
    void prefix() {
        if (at + 1 >= text.size() || text[at] != '0') {
            if (base == 0) base = 10;
            return;
        }
        const char letter = static_cast<char>(text[at + 1] | 0x20);
        const int named = letter == 'x' ? 16 : letter == 'b' ? 2 : letter == 'o' ? 8 : letter == 'd' ? 10 : 0;
        if (named != 0 && (base == 0 || base == named)) {
            base = named;
            // The prefix counts only when a digit follows.
            if (at + 2 < text.size() && digit_value(text[at + 2]) < base)
                at += 2;
            else
                well_formed = false;
        } else if (base == 0) {
            base = 8;
        }
    }
    void digits() {
        bool underscore = false;
        for (; at < text.size(); ++at) {
            if (text[at] == '_') {
                if (underscore || !any) break;
                underscore = true;
                continue;
            }
            const int value = digit_value(text[at]);
            if (value >= base) break;
            any = true;
            underscore = false;
            number = number * base + value;
            if (number > (Wide{1} << 64)) too_large();
        }
        if (underscore) well_formed = false;
    }
    std::int64_t value() const { return narrow(negative ? -number : number).integer(); }
};

/// Where a decimal number that starts at `at` ends; `at` itself when there is none. Underscores stand between
/// digits.
struct FloatReader {
    std::string_view text;
    std::size_t at = 0;
    std::string plain;  // without underscores

    bool is_digit_at(std::size_t place) const {
        return place < text.size() && text[place] >= '0' && text[place] <= '9';
    }
    bool digits() {
        if (!is_digit_at(at)) return false;
        while (is_digit_at(at) || (at < text.size() && text[at] == '_' && is_digit_at(at + 1))) {
            if (text[at] != '_') plain += text[at];
            ++at;
        }
        return true;
    }
    void read() {
        while (at < text.size() && is_number_space(text[at])) ++at;
        if (at < text.size() && (text[at] == '+' || text[at] == '-')) {
            if (text[at] == '-') plain += '-';
            ++at;
        }
        if (!digits()) {
            if (at >= text.size() || text[at] != '.' || !is_digit_at(at + 1)) {
                plain.clear();
                return;
            }
            plain += '0';
        }
        if (at < text.size() && text[at] == '.' && is_digit_at(at + 1)) {
            plain += '.';
            ++at;
            digits();
        }
        if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
            const bool sign = at + 1 < text.size() && (text[at + 1] == '+' || text[at + 1] == '-');
            if (is_digit_at(at + (sign ? 2 : 1))) {
                plain += 'e';
                if (sign) plain += text[at + 1];
                at += sign ? 2 : 1;
                digits();
            }
        }
    }
    double value() const {
        if (plain.empty()) return 0.0;
        double number = 0;
        const auto read = std::from_chars(plain.data(), plain.data() + plain.size(), number);
        if (read.ec != std::errc()) throw NotNative{"a Float out of range"};
        return number;
    }
};

}  // namespace

Object add_integers(std::int64_t left, std::int64_t right) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(left, right, &sum)) too_large();
    return Object(sum);
}

Object subtract_integers(std::int64_t left, std::int64_t right) {
    std::int64_t difference = 0;
    if (__builtin_sub_overflow(left, right, &difference)) too_large();
    return Object(difference);
}

Object multiply_integers(std::int64_t left, std::int64_t right) {
    std::int64_t product = 0;
    if (__builtin_mul_overflow(left, right, &product)) too_large();
    return Object(product);
}

Object divide_integers(std::int64_t left, std::int64_t right) {
    if (right == 0) throw Raised{"ZeroDivisionError", "divided by 0"};
    return narrow(floor_divide(left, right));
}

Object modulo_integers(std::int64_t left, std::int64_t right) {
    if (right == 0) throw Raised{"ZeroDivisionError", "divided by 0"};
    return narrow(left - floor_divide(left, right) * right);
}

Object power_integers(std::int64_t base, std::int64_t exponent) {
    if (exponent < 0) throw NotNative{"a Rational"};
    if (base == 1 || exponent == 0) return Object(std::int64_t{1});
    if (base == 0) return Object(std::int64_t{0});
    if (base == -1) return Object(std::int64_t{exponent % 2 == 0 ? 1 : -1});
    if (exponent > 63) too_large();
    std::int64_t power = 1;
    for (std::int64_t i = 0; i < exponent; ++i) {
        if (__builtin_mul_overflow(power, base, &power)) too_large();
    }
    return Object(power);
}

double modulo_floats(double left, double right) {
    if (right == 0.0) throw Raised{"ZeroDivisionError", "divided by 0"};
    if (std::isnan(right)) return std::numeric_limits<double>::quiet_NaN();
    double rest = std::isinf(right) && !std::isinf(left) ? left : std::fmod(left, right);
    if (right * rest < 0) rest += right;
    return rest;
}

Object integer_of(double number) {
    if (!std::isfinite(number)) throw Raised{"FloatDomainError", float_text(number)};
    if (!(std::fabs(number) < 9223372036854774784.0)) too_large();
    return Object(static_cast<std::int64_t>(number));
}

Object round_integer(std::int64_t number, std::int64_t digits, Rounding rounding) {
    if (digits >= 0) return Object(number);
    if (digits <= -20) return Object(std::int64_t{0});
    Wide unit = 1;
    for (std::int64_t i = 0; i < -digits; ++i) unit *= 10;
    const bool negative = number < 0;
    const Wide size = negative ? -Wide{number} : Wide{number};
    Wide rounded = 0;
    switch (rounding) {
        case Rounding::HalfUp:
            rounded = (size + unit / 2) / unit * unit;
            return narrow(negative ? -rounded : rounded);
        case Rounding::Down:
            return narrow(floor_divide(number, unit) * unit);
        case Rounding::Up:
            return narrow(-floor_divide(-Wide{number}, unit) * unit);
        case Rounding::ToZero:
            rounded = size / unit * unit;
            return narrow(negative ? -rounded : rounded);
    }
    return Object(number);
}

Object round_float(double number, std::int64_t digits, Rounding rounding) {
    if (number == 0.0) return digits > 0 ? Object(number) : Object(std::int64_t{0});
    if (digits > 0) return Object(round_digits(number, digits, rounding));
    if (!std::isfinite(number)) return integer_of(number);
    if (digits < 0 && rounding == Rounding::HalfUp)
        return round_integer(integer_of(std::trunc(number)).integer(), digits, rounding);
    double whole = 0;
    switch (rounding) {
        case Rounding::HalfUp:
            whole = std::round(number);
            break;
        case Rounding::Down:
            whole = std::floor(number);
            break;
        case Rounding::Up:
            whole = std::ceil(number);
            break;
        case Rounding::ToZero:
            whole = std::trunc(number);
            break;
    }
    return round_integer(integer_of(whole).integer(), digits, rounding);
}

std::string digits_of(std::int64_t number, int base) {
    char buffer[66];
    const auto end = std::to_chars(std::begin(buffer), std::end(buffer), number, base);
    return {std::begin(buffer), end.ptr};
}

std::optional<std::int64_t> parse_integer(std::string_view text, int base) {
    IntegerReader reader{text, 0, base};
    reader.sign();
    reader.prefix();
    if (!reader.well_formed) return std::nullopt;
    reader.digits();
    while (reader.at < text.size() && is_number_space(text[reader.at])) ++reader.at;
    if (!reader.any || !reader.well_formed || reader.at < text.size()) return std::nullopt;
    return reader.value();
}

std::int64_t leading_integer(std::string_view text, int base) {
    IntegerReader reader{text, 0, base};
    reader.sign();
    reader.prefix();
    reader.digits();
    return reader.value();
}

std::optional<double> parse_float(std::string_view text) {
    const bool hexadecimal =
        text.find("0x") != std::string_view::npos || text.find("0X") != std::string_view::npos;
    if (hexadecimal) throw NotNative{"Float() of a hexadecimal text"};
    FloatReader reader{text, 0, {}};
    reader.read();
    if (reader.at == 0 || reader.plain.empty()) return std::nullopt;
    while (reader.at < text.size() && is_number_space(text[reader.at])) ++reader.at;
    if (reader.at < text.size()) return std::nullopt;
    return reader.value();
}

double leading_float(std::string_view text) {
    FloatReader reader{text, 0, {}};
    reader.read();
    return reader.value();
}

}  // namespace volley::ruby
