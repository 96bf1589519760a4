#include "language/functions/stdlib/common.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_prefix(CallContext&, std::span<const Value> args) {
    return affixed("prefix", args,
                   [](const std::string& item, const std::string& added) { return added + item; });
}

}  // namespace

const Builtin& prefix_function() {
    static const Builtin def{
        .name = "prefix",
        .doc = "The elements of a list, or the keys of a hash, with a text before each.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_prefix)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
