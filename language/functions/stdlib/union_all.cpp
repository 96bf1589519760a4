#include "language/functions/stdlib/common.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_union(CallContext&, std::span<const Value> args) {
    if (args.size() < 2)
        fail("union(): Wrong number of arguments given (" + std::to_string(args.size()) + " for < 2)");
    HashBuilder seen;
    for (const Value& list : args) {
        if (!list.is_array()) fail("union(): Every parameter must be an array");
        for (const Value& item : list.as_array()) seen.set(item, true);
    }
    std::vector<Value> result;
    const Value all = seen.build();
    for (const auto& entry : all.as_hash()) result.push_back(entry.key);
    return result;
}

}  // namespace

const Builtin& union_all_function() {
    static const Builtin def{
        .name = "union",
        .doc = "The elements of two or more lists, each once.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_union)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
