#include "language/functions/stdlib/common.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_suffix(CallContext&, std::span<const Value> args) {
    return affixed("suffix", args,
                   [](const std::string& item, const std::string& added) { return item + added; });
}

}  // namespace

const Builtin& suffix_function() {
    static const Builtin def{
        .name = "suffix",
        .doc = "The elements of a list, or the keys of a hash, with a text after each.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_suffix)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
