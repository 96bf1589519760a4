#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "language/errors.hpp"
#include "language/evaluator/environment.hpp"
#include "language/functions/builtin.hpp"

namespace volley::builtins {
namespace {

Value abs_of_integer(std::int64_t number) {
    if (number == std::numeric_limits<std::int64_t>::min())
        throw EvalError("",
                        "abs(): the result for " + std::to_string(number) + " is too large for an Integer");
    return number < 0 ? -number : number;
}
Value abs_of_digits(std::string_view text) {
    std::int64_t number = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc())
        throw EvalError("", "abs(): the number " + std::string(text) + " is too large for an Integer");
    return abs_of_integer(number);
}
Value abs_of_number(CallContext&, std::span<const Value> args) {
    if (args[0].is(Kind::Float)) return std::abs(args[0].as_float());
    return abs_of_integer(args[0].as_integer());
}
Value abs_of_string(CallContext& context, std::span<const Value> args) {
    context.environment().deprecation(
        "abs_function_numeric_coerce_string",
        "The abs() function's auto conversion of String to Numeric is deprecated - "
        "change to convert input before calling");
    const std::string& text = args[0].as_string();
    const std::size_t digits = text.starts_with('-') ? 1 : 0;
    const std::size_t end = text.find_first_not_of("0123456789", digits);
    if (end == std::string::npos && text.size() > digits) return abs_of_digits(text);
    const bool fraction = end != std::string::npos && end > digits && text[end] == '.' &&
                          end + 1 < text.size() &&
                          text.find_first_not_of("0123456789", end + 1) == std::string::npos;
    if (fraction) return std::abs(std::strtod(text.c_str(), nullptr));
    throw EvalError("", "abs(): Requires float or integer to work with - was given non decimal string");
}

}  // namespace

const Builtin& abs_builtin() {
    static const Builtin def{
        .name = "abs",
        .doc = "A number without its sign.",
        .pure = true,
        .dispatches = {{.params = {{"Numeric", "val"}}, .call = abs_of_number},
                       {.params = {{"String", "val"}}, .call = abs_of_string}},
    };
    return def;
}

}  // namespace volley::builtins
