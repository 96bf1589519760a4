#include "language/functions/builtin.hpp"
#include "language/functions/iteration.hpp"

namespace volley::builtins {
namespace {

template <bool Two>
Value any(CallContext& context, std::span<const Value> args) {
    bool result = false;
    walk(context, args[0], Two, [&result](const Step& step) {
        result = step.result.truthy();
        return !result;
    });
    return result;
}

}  // namespace

const Builtin& any_builtin() {
    static const Builtin def{
        .name = "any",
        .doc = "True when a lambda returns a true value for some item.",
        .pure = true,
        .dispatches = {iteration_dispatches(any<true>, any<false>)},
    };
    return def;
}

}  // namespace volley::builtins
