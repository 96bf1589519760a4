#include "language/functions/stdlib/common.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_hash(CallContext&, std::span<const Value> args) {
    if (args.empty()) fail("hash(): Wrong number of arguments given (0 for 1)");
    if (!args[0].is_array()) fail("hash(): Requires array to work with");
    const std::vector<Value> items = flattened(args[0]);
    // Compatibility: a list of one hash is that hash.
    if (items.size() == 1 && items[0].is_hash()) return items[0];
    if (items.size() % 2 != 0) fail("hash(): Unable to compute hash from array given");
    HashBuilder result;
    for (std::size_t i = 0; i < items.size(); i += 2) result.set(items[i], items[i + 1]);
    return result.build();
}

}  // namespace

const Builtin& hash_function() {
    static const Builtin def{
        .name = "hash",
        .doc = "A hash from a list of keys and values in turn; nested lists are flattened first.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_hash)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
