#include "language/functions/stdlib/common.hpp"
#include "language/functions/stdlib/old_checks.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_validate_array(CallContext& context, std::span<const Value> args) {
    deprecate(context, "validate_array", deprecated_text("Stdlib::Compat::Array", DeprecatedFor::Validation));
    check_arrays(args);
    return {};
}

}  // namespace

const Builtin& validate_array_function() {
    static const Builtin def{
        .name = "validate_array",
        .doc = "All arguments must be lists. Deprecated: declare a type, or call validate_legacy.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "args", Dispatch::Repeated}},
                        .block = "Optional[Callable]",
                        .call = stdlib_validate_array}},
    };
    return def;
}

}  // namespace volley::stdlib
