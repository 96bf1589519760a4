#include "language/functions/stdlib/common.hpp"
#include "language/functions/stdlib/old_checks.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_validate_bool(CallContext& context, std::span<const Value> args) {
    deprecate(context, "validate_bool", deprecated_text("Stdlib::Compat::Bool", DeprecatedFor::Validation));
    check_booleans(args);
    return {};
}

}  // namespace

const Builtin& validate_bool_function() {
    static const Builtin def{
        .name = "validate_bool",
        .doc = "All arguments must be Booleans. Deprecated: declare a type, or call validate_legacy.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "args", Dispatch::Repeated}},
                        .block = "Optional[Callable]",
                        .call = stdlib_validate_bool}},
    };
    return def;
}

}  // namespace volley::stdlib
