#include "language/functions/builtin.hpp"
#include "language/functions/iteration.hpp"

namespace volley::builtins {
namespace {

template <bool Two>
Value group_by(CallContext& context, std::span<const Value> args) {
    std::vector<std::pair<Value, std::vector<Value>>> groups;
    walk(context, args[0], Two, [&groups](const Step& step) {
        for (auto& [key, items] : groups) {
            if (key == step.result) {
                items.push_back(step.item);
                return true;
            }
        }
        groups.push_back({step.result, {step.item}});
        return true;
    });
    HashBuilder result;
    for (auto& [key, items] : groups) result.set(key, std::move(items));
    return result.build();
}

}  // namespace

const Builtin& group_by_builtin() {
    static const Builtin def{
        .name = "group_by",
        .doc = "Groups the items of a collection by what a lambda gives.",
        .dispatches =
            {{.params = {{"Collection", "collection"}}, .block = "Callable[1,1]", .call = group_by<false>},
             {.params = {{"Array", "array"}}, .block = "Callable[2,2]", .call = group_by<true>},
             {.params = {{"Collection", "collection"}}, .block = "Callable[2,2]", .call = group_by<true>}},
    };
    return def;
}

}  // namespace volley::builtins
