#include "language/functions/stdlib/common.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_any2bool(CallContext&, std::span<const Value> args) {
    if (args.empty()) fail("any2bool(): Wrong number of arguments given (0 for 1)");
    const Value& value = args[0];
    if (value.is_number()) return number_truth(value);
    if (value.is_string()) return strict_float(value.as_string()) ? number_truth(value) : string_truth(value);
    return value.truthy();
}

}  // namespace

const Builtin& any2bool_function() {
    static const Builtin def{
        .name = "any2bool",
        .doc =
            "Anything as a Boolean: words as str2bool reads them, numbers above 0 are true, undef is false, "
            "all else is true.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_any2bool)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
