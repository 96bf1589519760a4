
#include "language/functions/stdlib/common.hpp"
#include "language/item_set.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_intersection(CallContext&, std::span<const Value> args) {
    if (args.size() != 2)
        fail("intersection(): Wrong number of arguments given (" + std::to_string(args.size()) + " for 2)");
    if (!args[0].is_array() || !args[1].is_array()) {
        fail("intersection(): Requires 2 arrays, got " + ruby_class(args[0]) + " and " + ruby_class(args[1]));
    }
    const ItemSet other(args[1].as_array().items());
    ItemSet taken;
    std::vector<Value> result;
    for (const Value& item : args[0].as_array()) {
        if (other.contains(item) && taken.insert(item)) result.push_back(item);
    }
    return result;
}

}  // namespace

const Builtin& intersection_function() {
    static const Builtin def{
        .name = "intersection",
        .doc = "The elements that two lists share, each once.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_intersection)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
