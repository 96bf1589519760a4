#include "language/functions/stdlib/common.hpp"
#include "language/functions/stdlib/old_checks.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_is_array(CallContext& context, std::span<const Value> args) {
    deprecate(context, "is_array", deprecated_text("Stdlib::Compat::Array", DeprecatedFor::Match));
    return check_is_array(args);
}

}  // namespace

const Builtin& is_array_function() {
    static const Builtin def{
        .name = "is_array",
        .doc = "Whether its argument is a list. Deprecated: match it with a type.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "args", Dispatch::Repeated}},
                        .block = "Optional[Callable]",
                        .call = stdlib_is_array}},
    };
    return def;
}

}  // namespace volley::stdlib
