#include "language/functions/stdlib/common.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_member_of(const Value& collection, const Value& key) {
    if (collection.is_hash()) {
        const Value* found = collection.as_hash().find(key);
        return found ? *found : Value();
    }
    if (!collection.is_array()) return {};
    const auto index = strict_integer(ruby_to_s(key));
    const auto size = static_cast<std::int64_t>(collection.as_array().size());
    if (!index || *index >= size || *index < -size) return {};
    return collection.as_array()[static_cast<std::size_t>(*index < 0 ? *index + size : *index)];
}

Value stdlib_dig44(CallContext&, std::span<const Value> args) {
    if (args.size() < 2)
        fail("dig44(): Wrong number of arguments given (" + std::to_string(args.size()) + " for at least 2)");
    if (!args[0].is_hash() && !args[0].is_array())
        fail("dig44(): first argument must be a hash or an array, given " + ruby_class(args[0]));
    if (!args[1].is_array()) fail("dig44(): second argument must be an array, given " + ruby_class(args[1]));
    Value value = args[0];
    for (const Value& key : args[1].as_array()) {
        value = stdlib_member_of(value, key);
        if (value.is_undef()) return args.size() > 2 ? args[2] : Value();
    }
    return value;
}

}  // namespace

const Builtin& dig44_function() {
    static const Builtin def{
        .name = "dig44",
        .doc = "A value out of nested lists and hashes by a list of keys, or a default. Deprecated: dig.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_dig44)},
        .legacy_arity = -2,
    };
    return def;
}

}  // namespace volley::stdlib
