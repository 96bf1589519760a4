#include "language/evaluator/iterate.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/iteration.hpp"

namespace volley::builtins {
namespace {

Value step_lazy(CallContext&, std::span<const Value> args) {
    return step_sequence(args[0], args[1].as_integer());
}
Value step_with_lambda(CallContext& context, std::span<const Value> args) {
    walk_on(context, step_sequence(args[0], args[1].as_integer()), false, [](const Step&) { return true; });
    return {};
}

}  // namespace

const Builtin& step_builtin() {
    static const Builtin def{
        .name = "step",
        .doc = "Walks over every n-th item of a collection.",
        .pure = true,
        .dispatches = {{.params = {{"Iterable", "iterable"}, {"Integer[1]", "step"}}, .call = step_lazy},
                       {.params = {{"Iterable", "iterable"}, {"Integer[1]", "step"}},
                        .block = "Callable[1,1]",
                        .call = step_with_lambda}},
    };
    return def;
}

}  // namespace volley::builtins
