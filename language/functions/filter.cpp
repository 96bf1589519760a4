#include "language/functions/builtin.hpp"
#include "language/functions/iteration.hpp"

namespace volley::builtins {
namespace {

template <bool Two>
Value filter(CallContext& context, std::span<const Value> args) {
    if (args[0].is_hash() || (Two && hash_style(args[0]))) {
        HashBuilder kept;
        walk_on(context, args[0], Two, [&kept](const Step& step) {
            if (step.result.truthy()) kept.set(step.index, step.item.as_array()[1]);
            return true;
        });
        return kept.build();
    }
    std::vector<Value> kept;
    walk_on(context, args[0], Two, [&kept](const Step& step) {
        if (step.result.truthy()) kept.push_back(step.item);
        return true;
    });
    return kept;
}

}  // namespace

const Builtin& filter_builtin() {
    static const Builtin def{
        .name = "filter",
        .doc = "Keeps the items of a collection for which a lambda returns a true value.",
        .pure = true,
        .dispatches = {iteration_dispatches(filter<true>, filter<false>)},
    };
    return def;
}

}  // namespace volley::builtins
