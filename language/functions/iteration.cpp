#include "language/functions/iteration.hpp"

#include <array>

#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/evaluator/iterate.hpp"
#include "language/types/type.hpp"

namespace volley {

bool hash_style(const Value& collection) {
    return collection.is_hash() ||
           (collection.is(Kind::Iterator) && collection.as<LazySequence>().hash_style());
}

namespace {

using WalkStep = std::function<bool(const Step&)>;

/// Calls the lambda with an item, and `next` with its result.
class LambdaWalk {
public:
    LambdaWalk(CallContext& context, bool pairs, bool two, const WalkStep& next)
        : context_(context), pairs_(pairs), two_(two), next_(next) {}

    bool operator()(const Value& item) {
        const Value index = pairs_ ? item.as_array()[0] : Value(position_++);
        std::array<Value, 2> arguments{two_ ? index : item,
                                       two_ ? (pairs_ ? item.as_array()[1] : item) : Value()};
        const Value result = context_.yield_moving(std::span(arguments).first(two_ ? 2 : 1));
        return next_(Step{result, item, index});
    }

private:
    CallContext& context_;
    const bool pairs_;
    const bool two_;
    const WalkStep& next_;
    std::int64_t position_ = 0;
};

void walk_until_break(CallContext& context, const Value& collection, const std::function<bool()>& all_of_it) {
    try {
        if (all_of_it()) return;
        throw EvalError(
            "", std::string(context.name) + "(): " + to_string(*infer(collection)) + " is not an Iterable");
    } catch (const Jump& jump) {
        if (jump.kind != Jump::Kind::Break) throw;
    }
}

}  // namespace

void walk(CallContext& context, const Value& collection, bool two, const WalkStep& next) {
    LambdaWalk step(context, hash_style(collection), two, next);
    walk_until_break(context, collection, [&] { return iterate(collection, std::ref(step)); });
}

void walk_on(CallContext& context, const Value& collection, bool two, const WalkStep& next) {
    if (!collection.is(Kind::Iterator) || hash_style(collection)) return walk(context, collection, two, next);
    LambdaWalk step(context, false, two, next);
    walk_until_break(context, collection, [&] {
        collection.as<LazySequence>().take(std::ref(step));
        return true;
    });
}

std::vector<Dispatch> iteration_dispatches(Dispatch::Body with_two, Dispatch::Body with_one) {
    return {
        {.params = {{"Hash[Any, Any]", "hash"}}, .block = "Callable[2,2]", .call = with_two},
        {.params = {{"Hash[Any, Any]", "hash"}}, .block = "Callable[1,1]", .call = with_one},
        {.params = {{"Iterable", "enumerable"}}, .block = "Callable[2,2]", .call = with_two},
        {.params = {{"Iterable", "enumerable"}}, .block = "Callable[1,1]", .call = with_one},
    };
}

Value each_string(const Value& value, const std::function<std::string(const std::string&)>& change) {
    if (value.is_string()) return change(value.as_string());
    if (value.is_number()) return value;
    // Compatibility: a range is iterable, but has no items for these functions.
    if (value.is(Kind::Type))
        throw EvalError("", to_string(*value.as_type()) + " has no texts that could be changed");
    std::vector<Value> result;
    iterate(value, [&](const Value& item) {
        result.push_back(item.is_string() ? Value(change(item.as_string())) : item);
        return true;
    });
    return result;
}

std::vector<Dispatch> string_or_list_dispatches(Dispatch::Body body) {
    return {
        {.params = {{"Numeric", "arg"}}, .call = body},
        {.params = {{"String", "arg"}}, .call = body},
        {.params = {{"Iterable[Variant[String, Numeric]]", "arg"}}, .call = body},
    };
}

Value each_nested_string(const Value& value, const std::function<std::string(const std::string&)>& change) {
    const NestingGuard guard;
    if (value.is_string()) return change(value.as_string());
    if (value.is_array()) {
        std::vector<Value> items;
        for (const Value& item : value.as_array()) items.push_back(each_nested_string(item, change));
        return items;
    }
    if (!value.is_hash()) return value;
    HashBuilder result;
    for (const auto& entry : value.as_hash())
        result.set(each_nested_string(entry.key, change), each_nested_string(entry.value, change));
    return result.build();
}

Builtin nested_string_function(std::string_view name, std::string_view doc, Dispatch::Body body) {
    return {
        .name = name,
        .doc = doc,
        .pure = true,
        .dispatches = {{.params = {{"Numeric", "arg"}}, .call = body},
                       {.params = {{"String", "arg"}}, .call = body},
                       {.params = {{"Array[StringData]", "arg"}}, .call = body},
                       {.params = {{"Hash[StringData, StringData]", "arg"}}, .call = body}},
        .local_types = {{"StringData",
                         "Variant[String, Numeric, Array[StringData], Hash[StringData, StringData]]"}},
    };
}

}  // namespace volley
