#include "language/conversion/ruby_format.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>

#include "language/conversion/whole_number.hpp"
#include "language/errors.hpp"
#include "language/syntax/lexer/characters.hpp"
#include "language/text/ruby_number.hpp"
#include "language/text/ruby_text.hpp"
#include "language/text/text.hpp"
#include "support/text.hpp"
#include "support/unicode/utf8.hpp"

namespace volley {
namespace {

constexpr int max_width = 1'000'000;  // a hostile width must not fill the memory

struct Spec {
    bool left = false;
    bool plus = false;
    bool space = false;
    bool alternate = false;
    bool zero = false;
    bool changed = false;  // a flag or a precision is there
    bool has_width = false;
    int width = 0;
    std::optional<int> precision;
};

std::string pad(const std::string& text, const Spec& spec) {
    const auto length = static_cast<int>(character_count(text));
    if (length >= spec.width) return text;
    const std::string fill(static_cast<std::size_t>(spec.width - length), ' ');
    return spec.left ? text + fill : fill + text;
}

/// Ruby's Integer(text): 0x, 0b, 0o or 0 for other bases, underscores between digits, spaces around.
std::optional<std::int64_t> integer_of_text(std::string_view text) {
    text = trim(text);
    std::string digits;
    if (text.starts_with('-') || text.starts_with('+')) {
        if (text[0] == '-') digits = "-";
        text.remove_prefix(1);
    }
    int base = 10;
    if (text.size() > 1 && text[0] == '0') {
        const char mark = static_cast<char>(text[1] | 0x20);
        base = mark == 'x' ? 16 : mark == 'b' ? 2 : 8;
        const bool marked = mark == 'x' || mark == 'b' || mark == 'o';
        text.remove_prefix(marked ? 2 : 1);
    }
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool between = i > 0 && i + 1 < text.size() && text[i + 1] != '_';
        if (text[i] != '_') digits += text[i];
        if (text[i] == '_' && !between) return std::nullopt;
    }
    std::int64_t number = 0;
    const char* const end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, number, base);
    return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}

WholeNumber to_integer(const Value& value) {
    if (value.is(Kind::Integer)) return WholeNumber(value.as_integer());
    if (value.is(Kind::Float)) return WholeNumber(value.as_float());
    if (value.is(Kind::Timespan) || value.is(Kind::Timestamp))
        return WholeNumber(value.as_integer() / 1'000'000'000);
    if (value.is_string()) {
        if (const auto number = integer_of_text(value.as_string())) return WholeNumber(*number);
        throw EvalError("", "invalid value for Integer(): " + ruby_inspect(value));
    }
    throw EvalError(
        "", "can't convert " + (value.is_undef() ? std::string("nil") : ruby_class(value)) + " into Integer");
}

/// Of a width or a precision that is an argument, and of a character.
std::int64_t to_small_integer(const Value& value) {
    if (value.is(Kind::Integer)) return value.as_integer();
    if (value.is(Kind::Float)) {
        if (!(std::fabs(value.as_float()) < 2147483648.0)) {
            std::array<char, 32> text{};
            std::snprintf(text.data(), text.size(), "%g", value.as_float());
            throw EvalError("", "float " + std::string(text.data()) + " out of range of integer");
        }
        return static_cast<std::int64_t>(value.as_float());
    }
    throw EvalError("", "no implicit conversion of " +
                            (value.is_undef() ? std::string("nil") : ruby_class(value)) + " into Integer");
}

double to_float(const Value& value) {
    if (value.is_number()) return value.as_float();
    if (value.is(Kind::Timespan) || value.is(Kind::Timestamp))
        return static_cast<double>(value.as_integer()) / 1e9;
    if (value.is_string()) {
        if (const auto number = ruby_float(value.as_string())) return *number;
        throw EvalError("", "invalid value for Float(): " + ruby_inspect(value));
    }
    throw EvalError(
        "", "can't convert " + (value.is_undef() ? std::string("nil") : ruby_class(value)) + " into Float");
}

unsigned base_of(char type) {
    return type == 'x' || type == 'X' ? 16 : type == 'o' ? 8 : type == 'b' || type == 'B' ? 2 : 10;
}

/// As Ruby does it: negative numbers of other bases than ten are shown as "..f01" unless a sign is asked for.
std::string format_integer(const WholeNumber& number, char type, const Spec& spec) {
    const unsigned base = base_of(type);
    const bool dots = number.negative() && base != 10 && !spec.plus && !spec.space;
    std::string digits = dots ? number.complement(base) : number.digits(base);
    const char filler = dots ? digits[0] : '0';
    std::string sign = dots ? ".." : number.negative() ? "-" : spec.plus ? "+" : spec.space ? " " : "";
    int width = spec.width - static_cast<int>(sign.size());
    int precision = spec.precision.value_or(-1) - (dots ? 2 : 0);
    std::string prefix;
    if (spec.alternate && type == 'o' && !dots) {
        if (number.zero()) digits.clear();
        const bool enough = spec.precision && precision > static_cast<int>(digits.size());
        if (number.zero() && spec.precision) --precision;
        if (!enough || number.zero()) prefix = "0";
    } else if (spec.alternate && base != 10 && type != 'o' && !number.zero()) {
        prefix = std::string("0") + type;
    }
    width -= static_cast<int>(prefix.size());
    if (spec.zero && !spec.left && !spec.precision) {
        precision = std::max(width, static_cast<int>(digits.size()));
    } else {
        if (number.zero() && prefix.empty() && precision == 0) digits.clear();
        precision = std::max(precision, static_cast<int>(digits.size()));
    }
    const auto length = static_cast<std::size_t>(precision);
    if (digits.size() < length) digits.insert(0, length - digits.size(), filler);
    if (type == 'X')
        std::transform(digits.begin(), digits.end(), digits.begin(),
                       [](char c) { return is_lower(c) ? static_cast<char>(c - 32) : c; });
    return pad(dots ? prefix + sign + digits : sign + prefix + digits, spec);
}

/// What Ruby's own digit generator takes for a tie: so near to one that doubles cannot show the difference.
/// It then rounds to the even digit, so that 2.675 becomes 2.68, where C looks at all digits and prints 2.67.
class NearTie {
public:
    /// `digits` counts from the first one that is not 0, or, when `fixed`, from the decimal point.
    NearTie(double number, int digits, bool fixed) : scaled_(number), errors_(2) {
        exponent_ = first_exponent(number);
        wanted_ = fixed ? digits + 1 + exponent_ : digits;
        constexpr int quick = 14;
        if (wanted_ < 1 || wanted_ > quick) return;
        scale();
        if (exponent_unsure_ && scaled_ < 1) {
            if (fixed && --wanted_ < 1) return;
            --exponent_;
            scaled_ *= 10;
            ++errors_;
        }
        generate();
    }
    /// The number that is written in its place; nullopt when it is not a tie.
    std::optional<double> rounded() const {
        if (!tie_) return std::nullopt;
        const std::string text =
            std::to_string(digits_ + (digits_ & 1)) + "e" + std::to_string(exponent_ - wanted_ + 1);
        double number = 0;
        std::from_chars(text.data(), text.data() + text.size(), number);
        return number;
    }

private:
    static constexpr double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    static constexpr double large_tens[] = {1e16, 1e32, 1e64, 1e128, 1e256};

    int first_exponent(double number) {
        const int binary = std::ilogb(number);
        const double mantissa = std::ldexp(number, -binary);
        const double estimate =
            (mantissa - 1.5) * 0.289529654602168 + 0.1760912590558 + binary * 0.301029995663981;
        int exponent = static_cast<int>(estimate);
        if (estimate < 0 && estimate != exponent) --exponent;
        exponent_unsure_ = exponent < 0 || exponent > 22;
        if (!exponent_unsure_ && number < tens[exponent]) --exponent;
        return exponent;
    }
    void scale() {
        const int size = exponent_ < 0 ? -exponent_ : exponent_;
        double by = tens[size & 15];
        for (int bit = 0; size >> (4 + bit) && bit < 5; ++bit) {
            if (!((size >> (4 + bit)) & 1)) continue;
            ++errors_;
            by *= large_tens[bit];
        }
        scaled_ = exponent_ < 0 ? scaled_ * by : scaled_ / by;
    }
    void generate() {
        double error = std::ldexp(errors_ * scaled_ + 7, -52) * tens[wanted_ - 1];
        for (int digit = 1;; ++digit, scaled_ *= 10) {
            const auto whole = static_cast<std::int64_t>(scaled_);
            scaled_ -= static_cast<double>(whole);
            digits_ = digits_ * 10 + whole;
            if (scaled_ == 0) return;
            if (digit == wanted_) break;
        }
        tie_ = scaled_ <= 0.5 + error && scaled_ >= 0.5 - error;
    }

    double scaled_;
    int errors_;
    int exponent_ = 0;
    int wanted_ = 0;
    bool exponent_unsure_ = false;
    bool tie_ = false;
    std::int64_t digits_ = 0;
};

double settle_tie(double number, char type, std::optional<int> precision) {
    if (number == 0 || !std::isfinite(number) || type == 'a' || type == 'A') return number;
    const int digits = precision.value_or(6);
    const bool fixed = type == 'f';
    const int wanted = fixed ? digits : type == 'g' || type == 'G' ? std::max(digits, 1) : digits + 1;
    const auto rounded = NearTie(std::fabs(number), wanted, fixed).rounded();
    return rounded ? std::copysign(*rounded, number) : number;
}

std::string format_float(double number, char type, const Spec& spec) {
    std::string format = "%";
    if (spec.left) format += '-';
    if (spec.plus) format += '+';
    if (spec.space) format += ' ';
    if (spec.alternate) format += '#';
    const bool finite = std::isfinite(number);
    if (spec.zero && finite) format += '0';
    if (!finite) {
        const std::string name = std::isnan(number) ? "NaN"
                                 : number < 0       ? "-Inf"
                                 : spec.plus        ? "+Inf"
                                 : spec.space       ? " Inf"
                                                    : "Inf";
        return pad(name, spec);
    }
    format += std::to_string(spec.width);
    if (format.ends_with("%0") || spec.width == 0) format.pop_back();
    if (spec.precision) format += "." + std::to_string(*spec.precision);
    format += type;
    number = settle_tie(number, type, spec.precision);
    const int length = std::snprintf(nullptr, 0, format.c_str(), number);
    std::string result(static_cast<std::size_t>(length), '\0');
    std::snprintf(result.data(), result.size() + 1, format.c_str(), number);
    return result;
}

std::string format_character(const Value& value) {
    if (value.is_string() && character_count(value.as_string()) == 1) return value.as_string();
    if (!value.is_number() && !value.is_array() && !value.is_hash())
        throw EvalError("", "%c requires a character");
    const std::int64_t code = to_small_integer(value);
    if (code < 0 || code > 0x10ffff) throw EvalError("", "invalid character");
    std::string out;
    append_utf8(out, static_cast<std::uint32_t>(code));
    return out;
}

class Formatter {
public:
    Formatter(std::string_view format, std::span<const Value> arguments)
        : format_(format), arguments_(arguments) {}

    std::string run() {
        while (at_ < format_.size()) {
            const char c = format_[at_++];
            if (c == '%')
                directive();
            else
                out_ += c;
        }
        return out_;
    }

private:
    /// Arguments are taken in turn, by number, or by name; one format keeps to one way.
    const Value& next_argument() {
        const std::string count = std::to_string(next_ + 1);
        if (way_ == Way::Numbered) throw EvalError("", "unnumbered(" + count + ") mixed with numbered");
        if (way_ == Way::Named) throw EvalError("", "unnumbered(" + count + ") mixed with named");
        way_ = Way::InTurn;
        if (next_ >= arguments_.size()) throw EvalError("", "too few arguments");
        return arguments_[next_++];
    }

    const Value& argument_at(int index) {
        const std::string number = std::to_string(index);
        if (way_ == Way::InTurn) {
            throw EvalError("", "numbered(" + number + ") after unnumbered(" + std::to_string(next_) + ")");
        }
        if (way_ == Way::Named) throw EvalError("", "numbered(" + number + ") after named");
        way_ = Way::Numbered;
        if (index < 1) throw EvalError("", "invalid index - " + number + "$");
        if (static_cast<std::size_t>(index) > arguments_.size()) throw EvalError("", "too few arguments");
        return arguments_[static_cast<std::size_t>(index - 1)];
    }

    int number() {
        int value = 0;
        while (at_ < format_.size() && is_digit(format_[at_])) {
            value = value * 10 + (format_[at_++] - '0');
            if (value > max_width) throw EvalError("", "width too big");
        }
        return value;
    }

    const Value& named(std::string_view name, char open) {
        const std::string shown = open + std::string(name) + (open == '<' ? '>' : '}');
        if (way_ == Way::InTurn)
            throw EvalError("", "named" + shown + " after unnumbered(" + std::to_string(next_) + ")");
        if (way_ == Way::Numbered) throw EvalError("", "named" + shown + " after numbered");
        way_ = Way::Named;
        if (arguments_.size() != 1 || !arguments_[0].is_hash()) throw EvalError("", "one hash required");
        const Value* value = arguments_[0].as_hash().find(name);
        if (!value)
            throw EvalError("", "key" + std::string(1, open) + std::string(name) + (open == '<' ? ">" : "}") +
                                    " not found");
        return *value;
    }

    /// A flag may stand neither after the width nor after the precision.
    static void expect_flag(const Spec& spec) {
        if (spec.has_width) throw EvalError("", "flag after width");
        if (spec.precision) throw EvalError("", "flag after precision");
    }
    static void expect_width(const Spec& spec) {
        if (spec.has_width) throw EvalError("", "width given twice");
        if (spec.precision) throw EvalError("", "width after precision");
    }

    bool flag(char c, Spec& spec) {
        switch (c) {
            case '-':
                spec.left = true;
                break;
            case '+':
                spec.plus = true;
                break;
            case ' ':
                spec.space = true;
                break;
            case '#':
                spec.alternate = true;
                break;
            case '0':
                spec.zero = true;
                break;
            default:
                return false;
        }
        return true;
    }

    /// What "*" stands for: the next argument, or the one that is numbered ("*2$").
    int starred() {
        const std::size_t back = at_;
        const int index = number();
        const bool numbered = at_ > back && at_ < format_.size() && format_[at_] == '$';
        if (!numbered) at_ = back;
        const Value& given = numbered ? argument_at(index) : next_argument();
        if (numbered) ++at_;
        const std::int64_t value = to_small_integer(given);
        if (value > max_width || value < -max_width) throw EvalError("", "width too big");
        return static_cast<int>(value);
    }

    void set_width(Spec& spec, int width) {
        expect_width(spec);
        spec.has_width = true;
        spec.left = spec.left || width < 0;
        spec.width = width < 0 ? -width : width;
    }

    void precision(Spec& spec) {
        if (spec.precision) throw EvalError("", "precision given twice");
        const bool star = at_ < format_.size() && format_[at_] == '*';
        if (star) ++at_;
        const int value = star ? starred() : number();
        spec.precision = value < 0 ? std::nullopt : std::optional(value);
    }

    std::string_view name_until(char close) {
        const std::size_t end = format_.find(close, at_);
        if (end == std::string_view::npos) throw EvalError("", "malformed name - unmatched parenthesis");
        const std::string_view name = format_.substr(at_, end - at_);
        at_ = end + 1;
        return name;
    }

    void directive() {
        Spec spec;
        const Value* given = nullptr;
        for (;;) {
            if (at_ >= format_.size()) {
                if (given || spec.changed || spec.has_width) return finish('%', spec, given);
                throw EvalError("", "incomplete format specifier; use %% (double %) instead");
            }
            const char c = format_[at_++];
            if (flag(c, spec)) {
                expect_flag(spec);
                spec.changed = true;
            } else if (c == '*') {
                expect_width(spec);
                set_width(spec, starred());
            } else if (c == '.') {
                precision(spec);
                spec.changed = true;
            } else if (c == '<') {
                given = &named(name_until('>'), c);
            } else if (c == '{') {
                std::string text = ruby_to_s(named(name_until('}'), c));
                if (spec.precision)
                    text.resize(first_characters(text, static_cast<std::size_t>(*spec.precision)).size());
                out_ += pad(text, spec);
                return;
            } else if (is_digit(c)) {
                --at_;
                const int value = number();
                if (at_ < format_.size() && format_[at_] == '$') {
                    ++at_;
                    given = &argument_at(value);
                } else {
                    set_width(spec, value);
                }
            } else {
                return finish(c, spec, given);
            }
        }
    }

    void finish(char type, const Spec& spec, const Value* given) {
        if (type == '%' || type == '\n' || type == '\0') {
            if (spec.changed || spec.has_width) throw EvalError("", "invalid format character - %");
            out_ += '%';
            if (type == '\n') out_ += '\n';
            return;
        }
        if (std::string_view("diuxXobBeEfgGaAspc").find(type) == std::string_view::npos) {
            throw EvalError("", std::string("malformed format string - %") + type);
        }
        const Value& value = given ? *given : next_argument();
        switch (type) {
            case 'd':
            case 'i':
            case 'u':
            case 'x':
            case 'X':
            case 'o':
            case 'b':
            case 'B':
                out_ += format_integer(to_integer(value), type, spec);
                break;
            case 'c':
                out_ += pad(format_character(value), spec);
                break;
            case 's':
            case 'p': {
                std::string text = type == 's' ? ruby_to_s(value) : ruby_inspect(value);
                if (spec.precision)
                    text.resize(first_characters(text, static_cast<std::size_t>(*spec.precision)).size());
                out_ += pad(text, spec);
                break;
            }
            default:
                out_ += format_float(to_float(value), type, spec);
        }
    }

    std::string_view format_;
    std::span<const Value> arguments_;
    std::size_t at_ = 0;
    std::size_t next_ = 0;
    enum class Way { Any, InTurn, Numbered, Named } way_ = Way::Any;
    std::string out_;
};

}  // namespace

std::string ruby_format(std::string_view format, std::span<const Value> arguments) {
    return Formatter(format, arguments).run();
}

}  // namespace volley
