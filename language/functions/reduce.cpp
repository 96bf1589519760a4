#include <array>

#include "language/evaluator/evaluator.hpp"
#include "language/evaluator/iterate.hpp"
#include "language/functions/builtin.hpp"

namespace volley::builtins {
namespace {

Value fold(CallContext& context, std::span<const Value> args) {
    bool started = args.size() > 1;
    Value memo = started ? args[1] : Value();
    try {
        iterate(args[0], [&](const Value& item) {
            std::array<Value, 2> arguments{memo, item};
            memo = started ? context.yield_moving(std::span(arguments)) : item;
            started = true;
            return true;
        });
    } catch (const Jump& jump) {
        if (jump.kind != Jump::Kind::Break) throw;
    }
    return memo;
}

}  // namespace

const Builtin& reduce_builtin() {
    static const Builtin def{
        .name = "reduce",
        .doc = "Folds a collection into one value with a lambda.",
        .pure = true,
        .dispatches = {{.params = {{"Iterable", "enumerable"}}, .block = "Callable[2,2]", .call = fold},
                       {.params = {{"Iterable", "enumerable"}, {"Any", "memo"}},
                        .block = "Callable[2,2]",
                        .call = fold}},
    };
    return def;
}

}  // namespace volley::builtins
