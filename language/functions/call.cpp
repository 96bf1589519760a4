#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/functions/builtin.hpp"

namespace volley::builtins {
namespace {

Value call(CallContext& context, std::span<const Value> args) {
    const std::string& name = args[0].as_string();
    if (!context.evaluator.has_function(name)) throw EvalError("", "Unknown function '" + name + "'");
    return context.evaluator.call(name, std::vector<Value>(args.begin() + 1, args.end()), context.block,
                                  context.frame, context.at);
}

}  // namespace

const Builtin& call_builtin() {
    static const Builtin def{
        .name = "call",
        .doc = "Calls the function of a given name.",
        .dispatches = {{.params = {{"String", "function_name"}, {"Any", "arguments", Dispatch::Repeated}},
                        .block = "Optional[Callable]",
                        .call = call}},
    };
    return def;
}

}  // namespace volley::builtins
