#include "language/evaluator/iterate.hpp"
#include "language/functions/builtin.hpp"

namespace volley::builtins {
namespace {

bool keep_if_new(std::vector<Value>& seen, const Value& mark) {
    for (const Value& known : seen) {
        if (known == mark) return false;
    }
    seen.push_back(mark);
    return true;
}
Value mark_of(CallContext& context, const Value& item) {
    return context.block ? context.yield({item}) : item;
}
std::vector<Value> unique_items(CallContext& context, const Value& collection) {
    std::vector<Value> seen;
    std::vector<Value> result;
    iterate(collection, [&](const Value& item) {
        if (keep_if_new(seen, mark_of(context, item))) result.push_back(item);
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
        Value mark;
        std::vector<Value> keys;
        std::vector<Value> values;
    };
    std::vector<Group> groups;
    for (const auto& entry : args[0].as_hash()) {
        const Value mark = mark_of(context, entry.value);
        Group* group = nullptr;
        for (Group& known : groups) {
            if (known.mark == mark) group = &known;
        }
        if (!group) group = &groups.emplace_back(Group{mark, {}, {}});
        group->keys.push_back(entry.key);
        std::vector<Value> seen = group->values;
        if (keep_if_new(seen, entry.value)) group->values.push_back(entry.value);
    }
    HashBuilder result;
    for (Group& group : groups) result.set(Value(std::move(group.keys)), Value(std::move(group.values)));
    return result.build();
}

}  // namespace

const Builtin& unique_builtin() {
    static const Builtin def{
        .name = "unique",
        .doc = "The items of a collection without repetitions.",
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
