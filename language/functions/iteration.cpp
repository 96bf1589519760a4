#include "language/functions/iteration.hpp"

#include <array>

#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/evaluator/iterate.hpp"

namespace volley {

bool hash_style(const Value& collection) {
    return collection.is_hash() ||
           (collection.is(Kind::Iterator) && collection.as<LazySequence>().hash_style());
}

void walk(CallContext& context, const Value& collection, bool two,
          const std::function<bool(const Step&)>& next) {
    const bool pairs = hash_style(collection);
    std::int64_t position = 0;
    try {
        const bool walked = iterate(collection, [&](const Value& item) {
            const Value index = pairs ? item.as_array()[0] : Value(position);
            ++position;
            std::array<Value, 2> arguments{two ? index : item, two ? (pairs ? item.as_array()[1] : item) : Value()};
            const Value result = context.yield_moving(std::span(arguments).first(two ? 2 : 1));
            return next(Step{result, item, index});
        });
        if (!walked) {
            throw EvalError("", std::string(context.name) + "(): " + to_string(*infer(collection)) +
                                    " is not an Iterable");
        }
    } catch (const Jump& jump) {
        if (jump.kind != Jump::Kind::Break) throw;
    }
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

}  // namespace volley
