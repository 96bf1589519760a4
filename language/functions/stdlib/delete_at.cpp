#include "language/functions/stdlib/common.hpp"
#include "language/text/regexp.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_delete_at(CallContext&, std::span<const Value> args) {
    if (args.size() < 2)
        fail("delete_at(): Wrong number of arguments given (" + std::to_string(args.size()) + " for 2)");
    if (!args[0].is_array()) fail("delete_at(): Requires array to work with");
    if (args[1].is_string() && !Regexp::compile("^\\d+$")->matches(args[1].as_string()))
        fail("delete_at(): You must provide non-negative numeric index");
    std::vector<Value> items = args[0].as_array().items();
    const auto size = static_cast<std::int64_t>(items.size());
    std::int64_t position = loose_integer(args[1]);
    if (position > size - 1) fail("delete_at(): Given index exceeds size of array given");
    if (position < 0) position += size;  // compatibility: counts from the end
    if (position >= 0) items.erase(items.begin() + position);
    return items;
}

}  // namespace

const Builtin& delete_at_function() {
    static const Builtin def{
        .name = "delete_at",
        .doc = "A list without the element at a position.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_delete_at)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
