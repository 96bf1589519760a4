#include "language/functions/stdlib/common.hpp"
#include "language/functions/stdlib/old_checks.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_is_float(CallContext& context, std::span<const Value> args) {
    deprecate(context, "is_float", deprecated_text("Stdlib::Compat::Float", DeprecatedFor::Match));
    return check_is_float(args);
}

}  // namespace

const Builtin& is_float_function() {
    static const Builtin def{
        .name = "is_float",
        .doc = "Whether its argument is a Float, also as text. Deprecated: match it with a type.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "args", Dispatch::Repeated}},
                        .block = "Optional[Callable]",
                        .call = stdlib_is_float}},
    };
    return def;
}

}  // namespace volley::stdlib
