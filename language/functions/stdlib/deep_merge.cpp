#include "language/errors.hpp"
#include "language/functions/stdlib/common.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_merge_deeply(const Hash& left, const Hash& right) {
    const NestingGuard guard;
    HashBuilder result(left);
    for (const auto& entry : right) {
        const Value* old = left.find(entry.key);
        const bool both = old && old->is_hash() && entry.value.is_hash();
        result.set(entry.key,
                   both ? stdlib_merge_deeply(old->as_hash(), entry.value.as_hash()) : entry.value);
    }
    return result.build();
}

Value stdlib_deep_merge(CallContext&, std::span<const Value> args) {
    if (args.size() < 2)
        fail("deep_merge(): wrong number of arguments (" + std::to_string(args.size()) +
             "; must be at least 2)");
    Value result = HashBuilder().build();
    for (const Value& value : args) {
        if (value.is_string() && value.as_string().empty()) continue;
        if (!value.is_hash())
            fail("deep_merge: unexpected argument type " + ruby_class(value) +
                 ", only expects hash arguments");
        result = stdlib_merge_deeply(result.as_hash(), value.as_hash());
    }
    return result;
}

}  // namespace

const Builtin& deep_merge_function() {
    static const Builtin def{
        .name = "deep_merge",
        .doc = "Hashes merged into one; where both sides have a hash under a key, these are merged too.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_deep_merge)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
