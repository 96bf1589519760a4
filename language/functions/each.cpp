#include "language/functions/builtin.hpp"
#include "language/functions/iteration.hpp"

namespace volley::builtins {
namespace {

template <bool Two>
Value each(CallContext& context, std::span<const Value> args) {
    walk_on(context, args[0], Two, [](const Step&) { return true; });
    return args[0];
}

}  // namespace

const Builtin& each_builtin() {
    static const Builtin def{
        .name = "each",
        .doc = "Calls a lambda with each item of a collection and returns the collection.",
        .pure = true,
        .dispatches = {iteration_dispatches(each<true>, each<false>)},
    };
    return def;
}

}  // namespace volley::builtins
