#include "language/evaluator/iterate.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/iteration.hpp"

namespace volley::builtins {
namespace {

Value reverse_each_lazy(CallContext&, std::span<const Value> args) { return reverse_sequence(args[0]); }
Value reverse_each_with_lambda(CallContext& context, std::span<const Value> args) {
    walk(context, reverse_sequence(args[0]), false, [](const Step&) { return true; });
    return {};
}

}  // namespace

const Builtin& reverse_each_builtin() {
    static const Builtin def{
        .name = "reverse_each",
        .doc = "Walks over a collection from its end.",
        .pure = true,
        .dispatches = {{.params = {{"Iterable", "iterable"}}, .call = reverse_each_lazy},
                       {.params = {{"Iterable", "iterable"}},
                        .block = "Callable[1,1]",
                        .call = reverse_each_with_lambda}},
    };
    return def;
}

}  // namespace volley::builtins
