#include "language/evaluator/evaluator.hpp"
#include "language/functions/builtin.hpp"

namespace volley::builtins {
namespace {

Value next_leave(CallContext& context, std::span<const Value> args) {
    throw Jump{Jump::Kind::Next, args.empty() ? Value() : args[0], context.at};
}

}  // namespace

const Builtin& next_builtin() {
    static const Builtin def{
        .name = "next",
        .doc = "Ends the innermost lambda or function with a value.",
        .dispatches = {{.params = {{"Any", "value", Dispatch::Optional}}, .call = next_leave}},
    };
    return def;
}

}  // namespace volley::builtins
