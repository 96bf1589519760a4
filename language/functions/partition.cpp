#include "language/functions/builtin.hpp"
#include "language/functions/iteration.hpp"

namespace volley::builtins {
namespace {

template <bool Two>
Value partition(CallContext& context, std::span<const Value> args) {
    std::vector<Value> accepted;
    std::vector<Value> rest;
    walk(context, args[0], Two, [&](const Step& step) {
        (step.result.truthy() ? accepted : rest).push_back(step.item);
        return true;
    });
    return std::vector<Value>{Value(std::move(accepted)), Value(std::move(rest))};
}

}  // namespace

const Builtin& partition_builtin() {
    static const Builtin def{
        .name = "partition",
        .doc = "Splits a collection into the items a lambda accepts and the rest.",
        .pure = true,
        .dispatches =
            {{.params = {{"Collection", "collection"}}, .block = "Callable[1,1]", .call = partition<false>},
             {.params = {{"Array", "array"}}, .block = "Callable[2,2]", .call = partition<true>},
             {.params = {{"Collection", "collection"}}, .block = "Callable[2,2]", .call = partition<true>}},
    };
    return def;
}

}  // namespace volley::builtins
