#include "language/functions/stdlib/common.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_bool2num(CallContext&, std::span<const Value> args) {
    if (args.empty()) fail("bool2num(): Wrong number of arguments given (0 for 1)");
    return string_truth(args[0]) ? 1 : 0;
}

}  // namespace

const Builtin& bool2num_function() {
    static const Builtin def{
        .name = "bool2num",
        .doc = "1 for true and words that mean it, 0 for false.",
        .pure = true,
        .dispatches = {legacy_dispatch(stdlib_bool2num)},
        .legacy_arity = -1,
    };
    return def;
}

}  // namespace volley::stdlib
