#include "language/functions/builtin.hpp"

namespace volley::builtins {
namespace {

Value then(CallContext& context, std::span<const Value> args) {
    return args[0].is_undef() ? Value() : context.yield({args[0]});
}

}  // namespace

const Builtin& then_builtin() {
    static const Builtin def{
        .name = "then",
        .doc = "Calls a lambda with a value unless the value is undef.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "arg"}}, .block = "Callable[1,1]", .call = then}},
    };
    return def;
}

}  // namespace volley::builtins
