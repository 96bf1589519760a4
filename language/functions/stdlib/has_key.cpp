#include "language/functions/stdlib/common.hpp"
#include "language/text/ruby_text.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_has_key(CallContext&, std::span<const Value> args) {
    if (args.size() != 2)
        fail("has_key(): wrong number of arguments (" + std::to_string(args.size()) + "; must be 2)");
    if (!args[0].is_hash()) {
        fail("has_key(): expects the first argument to be a hash, got " + ruby_inspect(args[0]) +
             " which is of type " + ruby_class(args[0]));
    }
    return args[0].as_hash().contains(args[1]);
}

}  // namespace

const Builtin& has_key_function() {
    static const Builtin def{
        .name = "has_key",
        .doc = "Whether a hash has a key.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_has_key)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
