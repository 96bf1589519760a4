#include "language/evaluator/evaluator.hpp"
#include "language/functions/builtin.hpp"

namespace volley::builtins {
namespace {

Value return_leave(CallContext& context, std::span<const Value> args) {
    throw Jump{Jump::Kind::Return, args.empty() ? Value() : args[0], context.at};
}

}  // namespace

const Builtin& return_builtin() {
    static const Builtin def{
        .name = "return",
        .doc = "Ends the function, or the code around a lambda, with a value.",
        .dispatches = {{.params = {{"Any", "value", Dispatch::Optional}}, .call = return_leave}},
    };
    return def;
}

}  // namespace volley::builtins
