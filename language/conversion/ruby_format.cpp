#include "language/conversion/ruby_format.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>

#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/ruby_text.hpp"
#include "language/syntax/characters.hpp"
#include "language/text.hpp"

namespace volley {
namespace {

constexpr int max_width = 1'000'000;  // a hostile width must not fill the memory

struct Spec {
    bool left = false;
    bool plus = false;
    bool space = false;
    bool alternate = false;
    bool zero = false;
    int width = 0;
    std::optional<int> precision;
};

std::string pad(const std::string& text, const Spec& spec) {
    const auto length = static_cast<int>(character_count(text));
    if (length >= spec.width) return text;
    const std::string fill(static_cast<std::size_t>(spec.width - length), ' ');
    return spec.left ? text + fill : fill + text;
}

std::int64_t ruby_format_to_integer(const Value& value) {
    if (value.is(Kind::Integer)) return value.as_integer();
    if (value.is(Kind::Float)) return static_cast<std::int64_t>(std::floor(value.as_float()));
    if (value.is(Kind::Timespan) || value.is(Kind::Timestamp)) return value.as_integer() / 1'000'000'000;
    if (value.is_string()) {
        const auto number = parse_number(value.as_string());
        if (number && number->is(Kind::Integer)) return number->as_integer();
        throw EvalError("", "invalid value for Integer(): " + ruby_inspect(value));
    }
    throw EvalError(
        "", "can't convert " + (value.is_undef() ? std::string("nil") : ruby_class(value)) + " into Integer");
}

double ruby_format_to_float(const Value& value) {
    if (value.is_number()) return value.as_float();
    if (value.is(Kind::Timespan) || value.is(Kind::Timestamp))
        return static_cast<double>(value.as_integer()) / 1e9;
    if (value.is_string()) {
        if (const auto number = parse_number(value.as_string())) return number->as_float();
        throw EvalError("", "invalid value for Float(): " + ruby_inspect(value));
    }
    throw EvalError(
        "", "can't convert " + (value.is_undef() ? std::string("nil") : ruby_class(value)) + " into Float");
}

std::string digits_of(std::uint64_t number, unsigned base) {
    std::string digits;
    do {
        digits.insert(digits.begin(), "0123456789abcdef"[number % base]);
        number /= base;
    } while (number > 0);
    return digits;
}

/// "..f01" without its dots: the digits of a negative number in two's complement.
std::string complement_digits(std::int64_t number, unsigned base) {
    const char filler = base == 16 ? 'f' : base == 8 ? '7' : '1';
    std::string digits = digits_of(static_cast<std::uint64_t>(number), base);
    if (base == 8) digits[0] = '7';  // 64 bits are no multiple of three
    const std::size_t significant = digits.find_first_not_of(filler);
    digits.erase(0, significant == std::string::npos ? digits.size() : significant);
    return filler + digits;
}

std::string format_integer(std::int64_t number, char type, const Spec& spec) {
    const unsigned base = type == 'x' || type == 'X'   ? 16
                          : type == 'o'                ? 8
                          : type == 'b' || type == 'B' ? 2
                                                       : 10;
    const bool negative = number < 0;
    const bool complement = negative && base != 10 && !spec.plus && !spec.space;
    const auto magnitude =
        negative ? ~static_cast<std::uint64_t>(number) + 1 : static_cast<std::uint64_t>(number);
    std::string digits = complement ? complement_digits(number, base) : digits_of(magnitude, base);
    std::string prefix = negative && !complement ? "-" : spec.plus ? "+" : spec.space ? " " : "";
    if (spec.alternate && base != 10 && number != 0) prefix += type == 'o' ? "0" : std::string("0") + type;
    if (complement) {
        const char filler = digits[0];
        if (spec.precision || (spec.zero && !spec.left)) {
            const int wanted = spec.precision.value_or(spec.width - static_cast<int>(prefix.size()) - 2);
            while (static_cast<int>(digits.size()) < wanted) digits.insert(digits.begin(), filler);
        }
        if (!spec.precision) digits = ".." + digits;
    } else {
        const int wanted = spec.precision            ? *spec.precision
                           : spec.zero && !spec.left ? spec.width - static_cast<int>(prefix.size())
                                                     : 0;
        while (static_cast<int>(digits.size()) < wanted) digits.insert(digits.begin(), '0');
    }
    if (type == 'X')
        std::transform(digits.begin(), digits.end(), digits.begin(),
                       [](char c) { return is_lower(c) ? static_cast<char>(c - 32) : c; });
    return pad(prefix + digits, spec);
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
    const int length = std::snprintf(nullptr, 0, format.c_str(), number);
    std::string result(static_cast<std::size_t>(length), '\0');
    std::snprintf(result.data(), result.size() + 1, format.c_str(), number);
    return result;
}

std::string first_characters(const std::string& text, int count) {
    std::size_t at = 0;
    for (int seen = 0; at < text.size(); ++at) {
        if ((static_cast<unsigned char>(text[at]) & 0xc0) != 0x80 && seen++ == count) break;
    }
    return text.substr(0, at);
}

std::string format_character(const Value& value) {
    if (value.is_string()) {
        if (value.as_string().empty()) throw EvalError("", "%c requires a character");
        return first_characters(value.as_string(), 1);
    }
    const std::int64_t code = ruby_format_to_integer(value);
    if (code < 0 || code > 0x10ffff) throw EvalError("", "invalid character");
    std::string out;
    const auto c = static_cast<std::uint32_t>(code);
    if (c < 0x80) {
        out += static_cast<char>(c);
    } else if (c < 0x800) {
        out += static_cast<char>(0xc0 | (c >> 6));
        out += static_cast<char>(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        out += static_cast<char>(0xe0 | (c >> 12));
        out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
        out += static_cast<char>(0x80 | (c & 0x3f));
    } else {
        out += static_cast<char>(0xf0 | (c >> 18));
        out += static_cast<char>(0x80 | ((c >> 12) & 0x3f));
        out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
        out += static_cast<char>(0x80 | (c & 0x3f));
    }
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
    const Value& next_argument() {
        if (next_ >= arguments_.size()) throw EvalError("", "too few arguments");
        return arguments_[next_++];
    }

    int number() {
        int value = 0;
        while (at_ < format_.size() && is_digit(format_[at_])) {
            value = value * 10 + (format_[at_++] - '0');
            if (value > max_width) throw EvalError("", "width too big");
        }
        return value;
    }

    const Value& named(std::string_view name, char open) const {
        if (arguments_.size() != 1 || !arguments_[0].is_hash()) throw EvalError("", "one hash required");
        const Value* value = arguments_[0].as_hash().find(name);
        if (!value)
            throw EvalError("", "key" + std::string(1, open) + std::string(name) + (open == '<' ? ">" : "}") +
                                    " not found");
        return *value;
    }

    void directive() {
        Spec spec;
        const Value* given = nullptr;
        for (;;) {
            if (at_ >= format_.size())
                throw EvalError("", "incomplete format specifier; use %% (double %) instead");
            const char c = format_[at_++];
            switch (c) {
                case '-':
                    spec.left = true;
                    continue;
                case '+':
                    spec.plus = true;
                    continue;
                case ' ':
                    spec.space = true;
                    continue;
                case '#':
                    spec.alternate = true;
                    continue;
                case '0':
                    spec.zero = true;
                    continue;
                case '*': {
                    spec.width = static_cast<int>(ruby_format_to_integer(next_argument()));
                    if (spec.width < 0) {
                        spec.left = true;
                        spec.width = -spec.width;
                    }
                    if (spec.width > max_width) throw EvalError("", "width too big");
                    continue;
                }
                case '.':
                    spec.precision = number();
                    continue;
                case '<':
                case '{': {
                    const std::size_t close = format_.find(c == '<' ? '>' : '}', at_);
                    if (close == std::string_view::npos)
                        throw EvalError("", "malformed name - unmatched parenthesis");
                    given = &named(format_.substr(at_, close - at_), c);
                    at_ = close + 1;
                    if (c == '<') continue;
                    std::string text = ruby_to_s(*given);
                    if (spec.precision) text = first_characters(text, *spec.precision);
                    out_ += pad(text, spec);
                    return;
                }
                default:
                    break;
            }
            if (is_digit(c)) {
                --at_;
                const int value = number();
                if (at_ < format_.size() && format_[at_] == '$') {
                    ++at_;
                    if (value < 1 || static_cast<std::size_t>(value) > arguments_.size())
                        throw EvalError("", "too few arguments");
                    given = &arguments_[static_cast<std::size_t>(value - 1)];
                } else {
                    spec.width = value;
                }
                continue;
            }
            return finish(c, spec, given);
        }
    }

    void finish(char type, const Spec& spec, const Value* given) {
        if (type == '%' || type == '\n' || type == '\0') {
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
                out_ += format_integer(ruby_format_to_integer(value), type, spec);
                break;
            case 'c':
                out_ += pad(format_character(value), spec);
                break;
            case 's':
            case 'p': {
                std::string text = type == 's' ? ruby_to_s(value) : ruby_inspect(value);
                if (spec.precision) text = first_characters(text, *spec.precision);
                out_ += pad(text, spec);
                break;
            }
            default:
                out_ += format_float(ruby_format_to_float(value), type, spec);
        }
    }

    std::string_view format_;
    std::span<const Value> arguments_;
    std::size_t at_ = 0;
    std::size_t next_ = 0;
    std::string out_;
};

}  // namespace

std::string ruby_format(std::string_view format, std::span<const Value> arguments) {
    return Formatter(format, arguments).run();
}

}  // namespace volley
