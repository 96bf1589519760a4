#include "language/functions/stdlib/common.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_delete_undef(CallContext&, std::span<const Value> args) {
    if (args.empty()) fail("delete_undef_values(): Wrong number of arguments given (0)");
    if (args[0].is_array()) {
        std::vector<Value> kept;
        for (const Value& item : args[0].as_array()) {
            if (!item.is_undef()) kept.push_back(item);
        }
        return kept;
    }
    if (!args[0].is_hash()) {
        fail("delete_undef_values(): expected an array or hash, got " + ruby_to_s(args[0]) + " type  " +
             ruby_class(args[0]) + " ");
    }
    HashBuilder kept;
    for (const auto& entry : args[0].as_hash()) {
        if (!entry.value.is_undef()) kept.set(entry.key, entry.value);
    }
    return kept.build();
}

}  // namespace

const Builtin& delete_undef_values_function() {
    static const Builtin def{
        .name = "delete_undef_values",
        .doc = "A list or hash without its undef values.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_delete_undef)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
