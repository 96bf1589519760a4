#include "language/functions/stdlib/common.hpp"
#include "language/functions/stdlib/old_checks.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_is_absolute_path(CallContext& context, std::span<const Value> args) {
    deprecate(context, "is_absolute_path",
              deprecated_text("Stdlib::Compat::Absolute_Path", DeprecatedFor::Match));
    return check_is_absolute_path(args);
}

}  // namespace

const Builtin& is_absolute_path_function() {
    static const Builtin def{
        .name = "is_absolute_path",
        .doc =
            "Whether its argument is an absolute path of Unix or Windows. Deprecated: match it with a type.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "args", Dispatch::Repeated}},
                        .block = "Optional[Callable]",
                        .call = stdlib_is_absolute_path}},
    };
    return def;
}

}  // namespace volley::stdlib
