#include <cmath>

#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/functions/builtin.hpp"
#include "language/float_to_integer.hpp"

namespace volley::builtins {
namespace {

Value floor_of_number(CallContext&, std::span<const Value> args) {
    return args[0].is(Kind::Integer) ? args[0]
                                     : Value(whole_number(std::floor(args[0].as_float())));
}
Value floor_of_string(CallContext&, std::span<const Value> args) {
    const auto number = parse_number(args[0].as_string());
    if (!number) throw EvalError("", "floor(): cannot convert given value to a floating point value.");
    return whole_number(std::floor(number->as_float()));
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
