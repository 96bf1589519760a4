#include <algorithm>

#include "language/functions/stdlib/common.hpp"
#include "language/item_set.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_member(CallContext&, std::span<const Value> args) {
    if (args.size() < 2)
        fail("member(): Wrong number of arguments given (" + std::to_string(args.size()) + " for 2)");
    if (!args[0].is_array()) fail("member(): Requires array to work with");
    const Value& wanted = args[1];
    if (!wanted.is_string() && !wanted.is(Kind::Integer) && !wanted.is_array())
        fail("member(): Item to search for must be a string, fixnum, or array");
    const std::vector<Value> items =
        wanted.is_array() ? wanted.as_array().items() : std::vector<Value>{wanted};
    if (items.empty()) fail("member(): You must provide item to search for within array given");
    const ItemSet list(args[0].as_array().items());
    return std::all_of(items.begin(), items.end(),
                       [&list](const Value& item) { return list.contains(item); });
}

}  // namespace

const Builtin& member_function() {
    static const Builtin def{
        .name = "member",
        .doc = "Whether a list has an element, or all elements of a list.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_member)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
