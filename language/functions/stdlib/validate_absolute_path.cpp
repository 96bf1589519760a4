#include "language/functions/stdlib/common.hpp"
#include "language/functions/stdlib/old_checks.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_validate_absolute_path(CallContext& context, std::span<const Value> args) {
    deprecate(context, "validate_absolute_path",
              deprecated_text("Stdlib::Compat::Absolute_Path", DeprecatedFor::Validation));
    check_absolute_paths(args);
    return {};
}

}  // namespace

const Builtin& validate_absolute_path_function() {
    static const Builtin def{
        .name = "validate_absolute_path",
        .doc = "All arguments must be absolute paths. Deprecated: declare a type, or call validate_legacy.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "args", Dispatch::Repeated}},
                        .block = "Optional[Callable]",
                        .call = stdlib_validate_absolute_path}},
    };
    return def;
}

}  // namespace volley::stdlib
