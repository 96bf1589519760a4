#include "language/errors.hpp"
#include "language/functions/stdlib/old_checks.hpp"
#include "language/text/ruby_text.hpp"
#include "language/text/text.hpp"

namespace volley::stdlib {
namespace {

/// validate_integer() and validate_numeric() differ in what they read and in a word of their messages.
struct NumberCheck {
    std::string function;
    std::string wanted;  // "an Integer"
    bool integers;

    std::optional<double> read(const Value& value) const {
        if (value.is_hash() || value.is_array()) return std::nullopt;
        const std::string text = ruby_to_s(value);
        if (!integers) return strict_float(text);
        const auto number = strict_integer(text);
        return number ? std::optional(static_cast<double>(*number)) : std::nullopt;
    }
    std::string shown(double number) const {
        return integers ? std::to_string(static_cast<std::int64_t>(number)) : float_text(number);
    }
    [[noreturn]] void complain(const std::string& text) const { fail(function + "(): " + text); }
    std::optional<double> bound(std::span<const Value> args, std::size_t index) const {
        const std::string text = index < args.size() ? ruby_to_s(args[index]) : "";
        if (index >= args.size() || (index == 1 && args.size() > 2 && text.empty())) return std::nullopt;
        const auto number = read(Value(text));
        if (number) return number;
        complain("Expected " + std::string(index == 1 ? "second" : "third") + " argument to be unset or " +
                 wanted + ", got " + text + ":" + (index == 1 ? "String" : ruby_class(args[index])));
    }
    void within(const Value& input, double number, std::optional<double> most,
                std::optional<double> least) const {
        const std::string text = ruby_inspect(input);
        if (most && number > *most)
            complain("Expected " + text + " to be smaller or equal to " + shown(*most) + ", got " + text +
                     ".");
        if (least && number < *least)
            complain("Expected " + text + " to be greater or equal to " + shown(*least) + ", got " + text +
                     ".");
    }
    void check(std::span<const Value> args) const {
        if (args.empty() || args.size() > 3)
            complain("Wrong number of arguments; must be 1, 2 or 3, got " + std::to_string(args.size()));
        const auto most = bound(args, 1);
        const auto least = bound(args, 2);
        if (most && least && *least > *most) {
            complain("Expected second argument to be larger than third argument, got " + shown(*most) +
                     " < " + shown(*least));
        }
        const Value& input = args[0];
        const std::string kind = wanted + " or Array";
        if (!input.is_array()) {
            const auto number = read(input);
            if (!number) complain("Expected first argument to be " + kind + ", got " + ruby_class(input));
            within(input, *number, most, least);
            return;
        }
        for (std::size_t i = 0; i < input.as_array().size(); ++i) {
            const Value& item = input.as_array()[i];
            const auto number = read(item);
            if (!number) {
                complain("Expected element at array position " + std::to_string(i) + " to be " + wanted +
                         ", got " + ruby_class(item));
            }
            within(input, *number, most, least);
        }
    }
};

}  // namespace

void check_integers(std::span<const Value> args) {
    NumberCheck{"validate_integer", "an Integer", true}.check(args);
}

void check_numbers(std::span<const Value> args) {
    NumberCheck{"validate_numeric", "a Numeric", false}.check(args);
}

}  // namespace volley::stdlib
