#include "language/functions/stdlib/common.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_delete_values(CallContext&, std::span<const Value> args) {
    if (args.size() != 2)
        fail("delete_values(): Wrong number of arguments given (" + std::to_string(args.size()) + " of 2)");
    if (!args[0].is_hash()) {
        fail("delete_values(): First argument must be a Hash. Given an argument of class " +
             ruby_class(args[0]) + ".");
    }
    HashBuilder kept;
    for (const auto& entry : args[0].as_hash()) {
        if (!ruby_equal(entry.value, args[1])) kept.set(entry.key, entry.value);
    }
    return kept.build();
}

}  // namespace

const Builtin& delete_values_of_function() {
    static const Builtin def{
        .name = "delete_values",
        .doc = "A hash without the entries that have a value.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_delete_values)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
