#include "language/functions/stdlib/common.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_str2bool(CallContext&, std::span<const Value> args) {
    if (args.empty()) fail("str2bool(): Wrong number of arguments given (0 for 1)");
    return string_truth(args[0]);
}

}  // namespace

const Builtin& str2bool_function() {
    static const Builtin def{
        .name = "str2bool",
        .doc =
            "A word as a Boolean: yes, y, true, t and 1 are true; no, n, false, f, 0, undef and empty text "
            "are false, in any case.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_str2bool)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
