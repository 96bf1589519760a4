#include "language/float_to_integer.hpp"
#include "language/functions/builtin.hpp"

namespace volley::builtins {
namespace {

Value round_number(CallContext&, std::span<const Value> args) {
    if (args[0].is(Kind::Integer)) return args[0];
    const double number = args[0].as_float();
    return whole_number(number > 0 ? number + 0.5 : number - 0.5);
}

}  // namespace

const Builtin& round_builtin() {
    static const Builtin def{
        .name = "round",
        .doc = "The nearest integer.",
        .pure = true,
        .dispatches = {{.params = {{"Numeric", "val"}}, .call = round_number}},
    };
    return def;
}

}  // namespace volley::builtins
