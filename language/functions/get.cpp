#include "language/evaluator/evaluator.hpp"
#include "language/functions/builtin.hpp"
#include "language/lookup_key.hpp"
#include "language/slice_error.hpp"
#include "language/types/builtin_objects.hpp"

namespace volley::builtins {
namespace {

Value get(CallContext& context, std::span<const Value> args) {
    Value otherwise = args.size() > 2 ? args[2] : Value();
    if (args[0].is_undef()) return otherwise;
    if (args[1].as_string().empty()) return args[0];
    std::vector<Value> arguments =
        split_lookup_key("x." + args[1].as_string(), "Syntax error in dotted-navigation string");
    arguments[0] = args[0];
    try {
        const Value found =
            context.evaluator.call("dig", std::move(arguments), nullptr, context.frame, context.at);
        return found.is_undef() ? otherwise : found;
    } catch (const SliceError& error) {
        if (!context.block) throw;
        return context.yield({make_error(error.what(), "SLICE_ERROR", error.details(), error.issue())});
    }
}

}  // namespace

const Builtin& get_builtin() {
    static const Builtin def{
        .name = "get",
        .doc = "Walks into a value by a dotted path.",
        .pure = true,
        .reads_variables = true,
        .dispatches = {{.params = {{"Any", "value"},
                                   {"String", "dotted_string"},
                                   {"Any", "default_value", Dispatch::Optional}},
                        .block = "Optional[Callable[1,1]]",
                        .call = get}},
    };
    return def;
}

}  // namespace volley::builtins
