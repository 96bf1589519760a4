#include "language/evaluator/iterate.hpp"
#include "language/functions/builtin.hpp"
#include "language/item_set.hpp"

namespace volley::builtins {
namespace {

Value mark_of(CallContext& context, const Value& item) {
    return context.block ? context.yield({item}) : item;
}

std::vector<Value> unique_items(CallContext& context, const Value& collection) {
    ItemSet seen;
    std::vector<Value> result;
    iterate(collection, [&](const Value& item) {
        if (seen.insert(mark_of(context, item))) {
            check_list_size(result.size() + 1);
            result.push_back(item);
        }
        return true;
    });
    return result;
}

Value of_items(CallContext& context, std::span<const Value> args) { return unique_items(context, args[0]); }

Value unique_of_string(CallContext& context, std::span<const Value> args) {
    std::string result;
    for (const Value& character : unique_items(context, args[0])) result += character.as_string();
    return result;
}

Value of_hash(CallContext& context, std::span<const Value> args) {
    struct Group {
        std::vector<Value> keys;
        HashBuilder values;
    };
    HashBuilder group_of;  // a mark => where its group is
    std::vector<Group> groups;
    for (const auto& entry : args[0].as_hash()) {
        const Value mark = mark_of(context, entry.value);
        if (!group_of.contains(mark)) {
            group_of.set(mark, Value(static_cast<std::int64_t>(groups.size())));
            groups.emplace_back();
        }
        Group& group = groups[static_cast<std::size_t>(group_of.find(mark)->as_integer())];
        group.keys.push_back(entry.key);
        group.values.set(entry.value, {});
    }
    HashBuilder result;
    for (Group& group : groups) {
        std::vector<Value> values;
        const Value kept = group.values.build();
        for (const auto& entry : kept.as_hash()) values.push_back(entry.key);
        result.set(Value(std::move(group.keys)), Value(std::move(values)));
    }
    return result.build();
}

}  // namespace

const Builtin& unique_builtin() {
    static const Builtin def{
        .name = "unique",
        .doc = "The items of a collection without repetitions.",
        .pure = true,
        .dispatches = {{.params = {{"String", "string"}},
                        .block = "Optional[Callable[String]]",
                        .call = unique_of_string},
                       {.params = {{"Hash", "hash"}}, .block = "Optional[Callable[Any]]", .call = of_hash},
                       {.params = {{"Array", "array"}}, .block = "Optional[Callable[Any]]", .call = of_items},
                       {.params = {{"Iterable", "iterable"}},
                        .block = "Optional[Callable[Any]]",
                        .call = of_items}},
    };
    return def;
}

}  // namespace volley::builtins
