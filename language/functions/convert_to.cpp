#include "language/evaluator/evaluator.hpp"
#include "language/functions/builtin.hpp"

namespace volley::builtins {
namespace {

Value convert_to(CallContext& context, std::span<const Value> args) {
    std::vector<Value> arguments{args[1], args[0]};
    arguments.insert(arguments.end(), args.begin() + 2, args.end());
    const Value result =
        context.evaluator.call("new", std::move(arguments), nullptr, context.frame, context.at);
    return context.block ? context.yield({result}) : result;
}

}  // namespace

const Builtin& convert_to_builtin() {
    static const Builtin def{
        .name = "convert_to",
        .doc = "A value converted to a type.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "value"}, {"Type", "type"}, {"Any", "args", Dispatch::Repeated}},
                        .block = "Optional[Callable[1,1]]",
                        .call = convert_to}},
    };
    return def;
}

}  // namespace volley::builtins
