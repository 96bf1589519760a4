#include "language/functions/stdlib/common.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_is_hash(CallContext&, std::span<const Value> args) {
    if (args.size() != 1)
        fail("is_hash(): Wrong number of arguments given (" + std::to_string(args.size()) + " for 1)");
    return args[0].is_hash();
}

}  // namespace

const Builtin& is_hash_function() {
    static const Builtin def{
        .name = "is_hash",
        .doc = "Whether its argument is a hash. Deprecated: match it with the type Hash.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_is_hash)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
