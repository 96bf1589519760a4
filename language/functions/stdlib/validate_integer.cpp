#include "language/functions/stdlib/common.hpp"
#include "language/functions/stdlib/old_checks.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_validate_integer(CallContext& context, std::span<const Value> args) {
    deprecate(context, "validate_integer",
              deprecated_text("Stdlib::Compat::Integer", DeprecatedFor::Validation));
    check_integers(args);
    return {};
}

}  // namespace

const Builtin& validate_integer_function() {
    static const Builtin def{
        .name = "validate_integer",
        .doc =
            "A whole number, or each of a list, must lie within bounds. Deprecated: declare a type, or call "
            "validate_legacy.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "args", Dispatch::Repeated}},
                        .block = "Optional[Callable]",
                        .call = stdlib_validate_integer}},
    };
    return def;
}

}  // namespace volley::stdlib
