#include "language/functions/builtin.hpp"
#include "language/functions/iteration.hpp"

namespace volley::builtins {
namespace {

template <bool Two>
Value group_by(CallContext& context, std::span<const Value> args) {
    HashBuilder group_of;  // a key => where its group is
    std::vector<std::pair<Value, std::vector<Value>>> groups;
    walk(context, args[0], Two, [&](const Step& step) {
        const Value* const known = group_of.find(step.result);
        if (!known) {
            group_of.set(step.result, Value(static_cast<std::int64_t>(groups.size())));
            groups.emplace_back(step.result, std::vector<Value>{});
        }
        groups[known ? static_cast<std::size_t>(known->as_integer()) : groups.size() - 1].second.push_back(
            step.item);
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
        .doc = "Groups the items of a collection by what a lambda returns.",
        .pure = true,
        .dispatches =
            {{.params = {{"Collection", "collection"}}, .block = "Callable[1,1]", .call = group_by<false>},
             {.params = {{"Array", "array"}}, .block = "Callable[2,2]", .call = group_by<true>},
             {.params = {{"Collection", "collection"}}, .block = "Callable[2,2]", .call = group_by<true>}},
    };
    return def;
}

}  // namespace volley::builtins
