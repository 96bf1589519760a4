#include "language/functions/stdlib/common.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_pick_default(CallContext&, std::span<const Value> args) {
    if (args.empty()) fail("Must receive at least one argument.");
    for (const Value& value : args.first(args.size() - 1)) {
        if (!value.is_undef() && !(value.is_string() && value.as_string().empty())) return value;
    }
    return args.back();
}

}  // namespace

const Builtin& pick_default_function() {
    static const Builtin def{
        .name = "pick_default",
        .doc =
            "The first of its arguments that is neither undef nor an empty string; the last one when there "
            "is none.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_pick_default)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
