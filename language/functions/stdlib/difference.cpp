
#include "language/functions/stdlib/common.hpp"
#include "language/item_set.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_difference(CallContext&, std::span<const Value> args) {
    if (args.size() != 2)
        fail("difference(): Wrong number of arguments given (" + std::to_string(args.size()) + " for 2)");
    if (!args[0].is_array() || !args[1].is_array()) fail("difference(): Requires 2 arrays");
    const ItemSet other(args[1].as_array().items());
    std::vector<Value> result;
    for (const Value& item : args[0].as_array()) {
        if (!other.contains(item)) result.push_back(item);
    }
    return result;
}

}  // namespace

const Builtin& difference_function() {
    static const Builtin def{
        .name = "difference",
        .doc = "The elements of the first list that are not in the second.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_difference)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
