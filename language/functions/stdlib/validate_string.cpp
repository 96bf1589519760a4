#include "language/functions/stdlib/common.hpp"
#include "language/functions/stdlib/old_checks.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_validate_string(CallContext& context, std::span<const Value> args) {
    deprecate(context, "validate_string",
              deprecated_text("Stdlib::Compat::String", DeprecatedFor::Validation));
    check_strings(args);
    return {};
}

}  // namespace

const Builtin& validate_string_function() {
    static const Builtin def{
        .name = "validate_string",
        .doc = "All arguments must be texts. Deprecated: declare a type, or call validate_legacy.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "args", Dispatch::Repeated}},
                        .block = "Optional[Callable]",
                        .call = stdlib_validate_string}},
    };
    return def;
}

}  // namespace volley::stdlib
