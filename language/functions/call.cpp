#include "language/deferred.hpp"
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

Value call_deferred(CallContext& context, std::span<const Value> args) {
    return resolve_deferred(context, args[0]);
}

}  // namespace

const Builtin& call_builtin() {
    static const Builtin def{
        .name = "call",
        .doc = "Calls the function of a given name, or the one that a Deferred names.",
        .dispatches = {{.params = {{"String", "function_name"}, {"Any", "arguments", Dispatch::Repeated}},
                        .block = "Optional[Callable]",
                        .call = call},
                       {.params = {{"Deferred", "deferred"}}, .call = call_deferred}},
    };
    return def;
}

}  // namespace volley::builtins
