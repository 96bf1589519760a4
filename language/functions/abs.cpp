#include <cmath>
#include <limits>

#include "language/errors.hpp"
#include "language/functions/builtin.hpp"

namespace volley::builtins {
namespace {

Value abs_of_number(CallContext&, std::span<const Value> args) {
    if (args[0].is(Kind::Float)) return std::abs(args[0].as_float());
    return args[0].as_integer() < 0 ? -args[0].as_integer() : args[0].as_integer();
}
Value abs_of_string(CallContext&, std::span<const Value> args) {
    const std::string& text = args[0].as_string();
    const std::size_t digits = text.starts_with('-') ? 1 : 0;
    const std::size_t end = text.find_first_not_of("0123456789", digits);
    if (end == std::string::npos && text.size() > digits) return std::abs(std::stoll(text));
    const bool fraction = end != std::string::npos && end > digits && text[end] == '.' &&
                          end + 1 < text.size() &&
                          text.find_first_not_of("0123456789", end + 1) == std::string::npos;
    if (fraction) return std::abs(std::stod(text));
    throw EvalError("", "abs(): Requires float or integer to work with - was given non decimal string");
}

}  // namespace

const Builtin& abs_builtin() {
    static const Builtin def{
        .name = "abs",
        .doc = "A number without its sign.",
        .dispatches = {{.params = {{"Numeric", "val"}}, .call = abs_of_number},
                       {.params = {{"String", "val"}}, .call = abs_of_string}},
    };
    return def;
}

}  // namespace volley::builtins
