#include "language/functions/builtin.hpp"

namespace volley::builtins {
namespace {

Value unwrap(CallContext& context, std::span<const Value> args) {
    const Value content = args[0].is(Kind::Sensitive) ? args[0].unwrap_sensitive() : args[0];
    return context.block ? context.yield({content}) : content;
}

}  // namespace

const Builtin& unwrap_builtin() {
    static const Builtin def{
        .name = "unwrap",
        .doc = "The content of a Sensitive value.",
        .pure = true,
        .dispatches = {{.params = {{"Sensitive", "arg"}}, .block = "Optional[Callable]", .call = unwrap},
                       {.params = {{"Any", "arg"}}, .block = "Optional[Callable]", .call = unwrap}},
    };
    return def;
}

}  // namespace volley::builtins
