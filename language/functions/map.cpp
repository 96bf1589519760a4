#include "language/functions/builtin.hpp"
#include "language/functions/iteration.hpp"

namespace volley::builtins {
namespace {

template <bool Two>
Value map(CallContext& context, std::span<const Value> args) {
    std::vector<Value> results;
    walk_on(context, args[0], Two, [&results](const Step& step) {
        results.push_back(step.result);
        return true;
    });
    return results;
}

}  // namespace

const Builtin& map_builtin() {
    static const Builtin def{
        .name = "map",
        .doc = "Collects what a lambda returns for each item of a collection.",
        .pure = true,
        .dispatches = {iteration_dispatches(map<true>, map<false>)},
    };
    return def;
}

}  // namespace volley::builtins
