#include "language/functions/stdlib/common.hpp"
#include "language/functions/stdlib/old_checks.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_is_numeric(CallContext& context, std::span<const Value> args) {
    deprecate(context, "is_numeric", deprecated_text("Stdlib::Compat::Numeric", DeprecatedFor::Match));
    return check_is_numeric(args);
}

}  // namespace

const Builtin& is_numeric_function() {
    static const Builtin def{
        .name = "is_numeric",
        .doc = "Whether its argument is a number, also as text. Deprecated: match it with a type.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "args", Dispatch::Repeated}},
                        .block = "Optional[Callable]",
                        .call = stdlib_is_numeric}},
    };
    return def;
}

}  // namespace volley::stdlib
