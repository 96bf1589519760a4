#include <cmath>

#include "language/errors.hpp"
#include "language/evaluator/environment.hpp"
#include "language/float_to_integer.hpp"
#include "language/functions/builtin.hpp"
#include "language/ruby_number.hpp"

namespace volley::builtins {
namespace {

Value floor_of_number(CallContext&, std::span<const Value> args) {
    return args[0].is(Kind::Integer) ? args[0]
                                     : Value(whole_number(std::floor(args[0].as_float())));
}
Value floor_of_string(CallContext& context, std::span<const Value> args) {
    context.environment().deprecation("floor_function_numeric_coerce_string",
                                      "The floor() function's auto conversion of String to Float is deprecated - "
                                      "change to convert input before calling");
    const std::optional<double> number = ruby_float(args[0].as_string());
    if (!number) throw EvalError("", "floor(): cannot convert given value to a floating point value.");
    return whole_number(std::floor(*number));
}

}  // namespace

const Builtin& floor_builtin() {
    static const Builtin def{
        .name = "floor",
        .doc = "The largest integer that is not above a number.",
        .dispatches = {{.params = {{"Numeric", "val"}}, .call = floor_of_number},
                       {.params = {{"String", "val"}}, .call = floor_of_string}},
    };
    return def;
}

}  // namespace volley::builtins
