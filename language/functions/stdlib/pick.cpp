#include "language/functions/stdlib/common.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_pick(CallContext&, std::span<const Value> args) {
    for (const Value& value : args) {
        if (value.is_string() && (value.as_string().empty() || value.as_string() == "undef")) continue;
        if (value.is_undef()) continue;
        return value;
    }
    fail("pick(): must receive at least one non empty value");
}

}  // namespace

const Builtin& pick_function() {
    static const Builtin def{
        .name = "pick",
        .doc =
            "The first of its arguments that is neither undef nor an empty string. It is an error when there "
            "is none.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_pick)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
