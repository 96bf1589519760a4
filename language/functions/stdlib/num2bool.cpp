#include "language/functions/stdlib/common.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_num2bool(CallContext&, std::span<const Value> args) {
    if (args.size() != 1)
        fail("num2bool(): Wrong number of arguments given (" + std::to_string(args.size()) + " for 1)");
    return number_truth(args[0]);
}

}  // namespace

const Builtin& num2bool_function() {
    static const Builtin def{
        .name = "num2bool",
        .doc = "True for numbers of 1 and above, given as a number or as text.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_num2bool)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
