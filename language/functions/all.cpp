#include "language/functions/builtin.hpp"
#include "language/functions/iteration.hpp"

namespace volley::builtins {
namespace {

template <bool Two>
Value all(CallContext& context, std::span<const Value> args) {
    bool result = true;
    walk(context, args[0], Two, [&result](const Step& step) {
        result = step.result.truthy();
        return result;
    });
    return result;
}

}  // namespace

const Builtin& all_builtin() {
    static const Builtin def{
        .name = "all",
        .doc = "True when a lambda returns a true value for every item.",
        .pure = true,
        .dispatches = {iteration_dispatches(all<true>, all<false>)},
    };
    return def;
}

}  // namespace volley::builtins
