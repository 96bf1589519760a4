#include "language/functions/stdlib/common.hpp"
#include "language/functions/stdlib/old_checks.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_is_string(CallContext& context, std::span<const Value> args) {
    deprecate(context, "is_string", deprecated_text("Stdlib::Compat::String", DeprecatedFor::Match));
    return check_is_string(args);
}

}  // namespace

const Builtin& is_string_function() {
    static const Builtin def{
        .name = "is_string",
        .doc = "Whether its argument is a text that is not a number. Deprecated: match it with a type.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "args", Dispatch::Repeated}},
                        .block = "Optional[Callable]",
                        .call = stdlib_is_string}},
    };
    return def;
}

}  // namespace volley::stdlib
