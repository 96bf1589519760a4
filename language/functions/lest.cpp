#include "language/functions/builtin.hpp"

namespace volley::builtins {
namespace {

Value lest(CallContext& context, std::span<const Value> args) {
    return args[0].is_undef() ? context.yield({}) : args[0];
}

}  // namespace

const Builtin& lest_builtin() {
    static const Builtin def{
        .name = "lest",
        .doc = "A value, or what a lambda returns when the value is undef.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "arg"}}, .block = "Callable[0,0]", .call = lest}},
    };
    return def;
}

}  // namespace volley::builtins
