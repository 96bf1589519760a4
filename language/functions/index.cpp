#include "language/evaluator/evaluator.hpp"
#include "language/evaluator/iterate.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/iteration.hpp"
#include "language/text/regexp.hpp"
#include "language/text/text.hpp"

namespace volley::builtins {
namespace {

template <bool Two>
Value by_lambda(CallContext& context, std::span<const Value> args) {
    Value found;
    const bool pairs = hash_style(args[0]);
    std::int64_t position = 0;
    iterate(args[0], [&](const Value& item) {
        const Value key = pairs ? item.as_array()[0] : Value(position++);
        const Value value = pairs ? item.as_array()[1] : item;
        const Value result = Two ? context.yield({key, value}) : context.yield({value});
        if (result.truthy()) found = key;
        return !result.truthy();
    });
    return found;
}
Value in_string(CallContext&, std::span<const Value> args) {
    const std::string& text = args[0].as_string();
    std::size_t at = std::string::npos;
    if (args[1].is_string()) {
        at = text.find(args[1].as_string());
    } else if (const auto match = args[1].as_regexp().search(text)) {
        at = static_cast<std::size_t>(match->groups[0].begin);
    }
    return at == std::string::npos ? Value() : Value(character_count(std::string_view(text).substr(0, at)));
}
Value by_value(CallContext&, std::span<const Value> args) {
    Value found;
    const bool pairs = hash_style(args[0]);
    std::int64_t position = 0;
    iterate(args[0], [&](const Value& item) {
        const Value value = pairs ? item.as_array()[1] : item;
        const bool numbers = value.is_number() && args[1].is_number();
        if (numbers ? value.as_float() == args[1].as_float() : value == args[1]) {
            found = pairs ? item.as_array()[0] : Value(position);
            return false;
        }
        ++position;
        return true;
    });
    return found;
}
std::vector<Dispatch> dispatches() {
    std::vector<Dispatch> list = iteration_dispatches(by_lambda<true>, by_lambda<false>);
    list.push_back({.params = {{"String", "str"}, {"Variant[String,Regexp]", "match"}}, .call = in_string});
    list.push_back({.params = {{"Iterable", "enumerable"}, {"Any", "match"}}, .call = by_value});
    return list;
}

}  // namespace

const Builtin& index_builtin() {
    static const Builtin def{
        .name = "index",
        .doc = "The position (or key) of the first item that matches.",
        .pure = true,
        .dispatches = {dispatches()},
    };
    return def;
}

}  // namespace volley::builtins
