#include "support/yaml/scalar.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "support/text.hpp"

namespace volley::yaml {
namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

bool equals_ignoring_case(std::string_view text, std::string_view word) noexcept {
    if (text.size() != word.size()) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] - 'A' + 'a') : text[i];
        if (c != word[i]) return false;
    }
    return true;
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) noexcept {
    for (const std::string_view word : words) {
        if (equals_ignoring_case(text, word)) return true;
    }
    return false;
}

std::string_view without_sign(std::string_view text) noexcept {
    return !text.empty() && (text[0] == '-' || text[0] == '+') ? text.substr(1) : text;
}

bool all_of(std::string_view text, std::string_view allowed) noexcept {
    return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos;
}

/// The base of an integer without its sign; 0 when it is none. A leading zero means octal (YAML 1.1), and so
/// 0o17, 0X1F and 0B1 are strings (compatibility).
int integer_base(std::string_view digits) noexcept {
    if (digits.size() > 2 && digits.starts_with("0x"))
        return all_of(digits.substr(2), "0123456789abcdefABCDEF_,") ? 16 : 0;
    if (digits.size() > 2 && digits.starts_with("0b")) return all_of(digits.substr(2), "01_,") ? 2 : 0;
    if (digits == "0") return 10;
    if (digits.size() > 1 && digits[0] == '0') return all_of(digits.substr(1), "01234567_,") ? 8 : 0;
    if (digits.empty() || !is_digit(digits[0])) return 0;
    bool separator = false;  // compatibility: "1_000" and "1,000" are numbers, "1__0" and "1_" are not
    for (const char c : digits) {
        const bool now = c == '_' || c == ',';
        if ((!now && !is_digit(c)) || (now && separator)) return 0;
        separator = now;
    }
    return separator ? 0 : 10;
}

/// [digits] '.' [digits] [e sign digits]; the exponent needs its sign and the point is required, so that
/// 1e5 is a string (compatibility).
bool is_float(std::string_view text) noexcept {
    std::string_view rest = without_sign(text);
    const std::size_t point = rest.find('.');
    if (point == std::string_view::npos || rest == ".") return false;
    if (point > 0 && (!is_digit(rest[0]) || !all_of(rest.substr(0, point), "0123456789_,"))) return false;
    rest.remove_prefix(point + 1);
    const std::size_t digits = rest.find_first_not_of("0123456789");
    if (digits == std::string_view::npos) return true;
    rest.remove_prefix(digits);
    return rest.size() > 2 && (rest[0] == 'e' || rest[0] == 'E') && (rest[1] == '+' || rest[1] == '-') &&
           all_of(rest.substr(2), "0123456789");
}

/// What follows the point of 1:30.5; nothing where there is none.
std::string_view sexagesimal_fraction(std::string_view text) noexcept {
    const std::size_t point = text.find('.');
    return point == std::string_view::npos ? std::string_view() : text.substr(point);
}

/// 1:30, 1:30:00 and 1:30.5: numbers in base 60 (compatibility).
bool is_sexagesimal(std::string_view text) noexcept {
    const std::string_view fraction = sexagesimal_fraction(text);
    if (fraction.size() > 1 && !all_of(fraction.substr(1), "0123456789_")) return false;
    std::string_view rest = without_sign(text.substr(0, text.size() - fraction.size()));
    int parts = 0;
    while (true) {
        const std::size_t colon = rest.find(':');
        const std::string_view part = rest.substr(0, colon);
        if (parts == 0 ? !(all_of(part, "0123456789_") && is_digit(part[0]))
                       : !(all_of(part, "0123456789") &&
                           (part.size() == 1 || (part.size() == 2 && part[0] <= '5')))) {
            return false;
        }
        ++parts;
        if (colon == std::string_view::npos) return parts == 2 || parts == 3;
        rest.remove_prefix(colon + 1);
    }
}

std::string without_separators(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c != '_' && c != ',') out += c;
    }
    return out;
}

Json sexagesimal_value(std::string_view text) {
    // Compatibility: Psych weighs the parts by position from the left (3600, 60, 1), even when there are two,
    // and a sign belongs to the first part alone.
    static constexpr double weights[] = {3600, 60, 1};
    double sum = 0;
    std::size_t i = 0;
    for (const std::string& part : split(without_separators(text), ':')) {
        sum += std::strtod(part.c_str(), nullptr) * weights[i++];
    }
    if (!sexagesimal_fraction(text).empty() || std::abs(sum) > 9e15) return sum;
    return static_cast<std::int64_t>(sum);
}

Json integer_value(std::string_view text) {
    if (text.find(':') != std::string_view::npos) return sexagesimal_value(text);
    const bool negative = text[0] == '-';
    const std::string_view digits = without_sign(text);
    const int base = integer_base(digits);
    const bool marked =
        digits.size() > 2 && digits[0] == '0' && !is_digit(digits[1]) && digits[1] != '_' && digits[1] != ',';
    const std::string plain = (negative ? "-" : "") + without_separators(marked ? digits.substr(2) : digits);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value, base);
    if (error == std::errc() && end == plain.data() + plain.size()) return value;
    return std::strtod(plain.c_str(), nullptr);
}

Json float_value(std::string_view text) {
    if (text.find(':') != std::string_view::npos) return sexagesimal_value(text);
    const std::string_view magnitude = without_sign(text);
    if (equals_ignoring_case(magnitude, ".nan")) return std::numeric_limits<double>::quiet_NaN();
    if (equals_ignoring_case(magnitude, ".inf")) {
        const double infinity = std::numeric_limits<double>::infinity();
        return text[0] == '-' ? -infinity : infinity;
    }
    return std::strtod(without_separators(text).c_str(), nullptr);
}

}  // namespace

Kind resolve_plain(std::string_view text) noexcept {
    if (text.empty() || text == "~") return Kind::Null;
    const char first = text[0];
    if (!is_digit(first) && first != '+' && first != '-' && first != '.') {
        if (text.size() > 5) return Kind::String;
        if (equals_ignoring_case(text, "null")) return Kind::Null;
        return is_one_of(text, {"yes", "true", "on", "no", "false", "off"}) ? Kind::Boolean : Kind::String;
    }
    if (equals_ignoring_case(text, ".nan") || equals_ignoring_case(without_sign(text), ".inf"))
        return Kind::Float;
    if (integer_base(without_sign(text)) != 0) return Kind::Integer;
    if (is_sexagesimal(text)) return sexagesimal_fraction(text).empty() ? Kind::Integer : Kind::Float;
    return is_float(text) ? Kind::Float : Kind::String;
}

bool boolean_value(std::string_view text) noexcept { return is_one_of(text, {"yes", "true", "on"}); }

Json scalar_value(Kind kind, std::string_view text) {
    switch (kind) {
        case Kind::Boolean:
            return boolean_value(text);
        case Kind::Integer:
            return integer_value(text);
        case Kind::Float:
            return float_value(text);
        case Kind::String:
            return std::string(text);
        default:
            return nullptr;
    }
}

}  // namespace volley::yaml
