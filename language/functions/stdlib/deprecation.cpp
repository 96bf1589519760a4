#include "language/functions/stdlib/common.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_deprecation(CallContext& context, std::span<const Value> args) {
    deprecate(context, args[0].as_string(), args[1].as_string());
    return {};
}

}  // namespace

const Builtin& deprecation_function() {
    static const Builtin def{
        .name = "deprecation",
        .doc =
            "Reports that something is deprecated: a warning, once for each key, or an error when the "
            "setting "
            "strict is error.",
        .pure = true,
        .dispatches = {{.params = {{"String", "key"}, {"String", "message"}}, .call = stdlib_deprecation}},
    };
    return def;
}

}  // namespace volley::stdlib
