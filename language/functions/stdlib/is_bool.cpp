#include "language/functions/stdlib/common.hpp"
#include "language/functions/stdlib/old_checks.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_is_bool(CallContext& context, std::span<const Value> args) {
    deprecate(context, "is_bool", deprecated_text("Stdlib::Compat::Bool", DeprecatedFor::Match));
    return check_is_bool(args);
}

}  // namespace

const Builtin& is_bool_function() {
    static const Builtin def{
        .name = "is_bool",
        .doc = "Whether its argument is a Boolean. Deprecated: match it with a type.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "args", Dispatch::Repeated}},
                        .block = "Optional[Callable]",
                        .call = stdlib_is_bool}},
    };
    return def;
}

}  // namespace volley::stdlib
