#include <cmath>

#include "language/errors.hpp"
#include "language/evaluator/environment.hpp"
#include "language/float_to_integer.hpp"
#include "language/functions/builtin.hpp"
#include "language/ruby_number.hpp"

namespace volley::builtins {
namespace {

Value ceiling_of_number(CallContext&, std::span<const Value> args) {
    return args[0].is(Kind::Integer) ? args[0]
                                     : Value(whole_number(std::ceil(args[0].as_float())));
}
Value ceiling_of_string(CallContext& context, std::span<const Value> args) {
    context.environment().deprecation("ceiling_function_numeric_coerce_string",
                                      "The ceiling() function's auto conversion of String to Float is deprecated - "
                                      "change to convert input before calling");
    const std::optional<double> number = ruby_float(args[0].as_string());
    if (!number) throw EvalError("", "ceiling(): cannot convert given value to a floating point value.");
    return whole_number(std::ceil(*number));
}

}  // namespace

const Builtin& ceiling_builtin() {
    static const Builtin def{
        .name = "ceiling",
        .doc = "The smallest integer that is not below a number.",
        .dispatches = {{.params = {{"Numeric", "val"}}, .call = ceiling_of_number},
                       {.params = {{"String", "val"}}, .call = ceiling_of_string}},
    };
    return def;
}

}  // namespace volley::builtins
