#include <algorithm>

#include "language/errors.hpp"
#include "language/evaluator/iterate.hpp"
#include "language/functions/builtin.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::builtins {
namespace {

std::vector<Value> sorted(CallContext& context, std::vector<Value> items) {
    std::stable_sort(items.begin(), items.end(), [&context](const Value& a, const Value& b) {
        if (!context.block) return ruby_compare(a, b) < 0;
        const Value order = context.yield({a, b});
        if (!order.is_number())
            throw EvalError("", "comparison of " + ruby_class(a) + " with " + ruby_class(b) + " failed");
        return order.as_float() < 0;
    });
    return items;
}
Value sort_of_string(CallContext& context, std::span<const Value> args) {
    std::string result;
    for (const Value& character : sorted(context, iterate_all(args[0]).as_array().items()))
        result += character.as_string();
    return result;
}
Value of_array(CallContext& context, std::span<const Value> args) {
    return sorted(context, args[0].as_array().items());
}

}  // namespace

const Builtin& sort_builtin() {
    static const Builtin def{
        .name = "sort",
        .doc = "Sorts a list or the characters of a string.",
        .pure = true,
        .dispatches = {{.params = {{"String", "string_value"}},
                        .block = "Optional[Callable[2,2]]",
                        .call = sort_of_string},
                       {.params = {{"Array", "array_value"}},
                        .block = "Optional[Callable[2,2]]",
                        .call = of_array}},
    };
    return def;
}

}  // namespace volley::builtins
