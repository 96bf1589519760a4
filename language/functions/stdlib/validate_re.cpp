#include "language/functions/stdlib/common.hpp"
#include "language/functions/stdlib/old_checks.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_validate_re(CallContext& context, std::span<const Value> args) {
    deprecate(context, "validate_re", deprecated_text("Pattern[]", DeprecatedFor::Validation));
    check_pattern(args);
    return {};
}

}  // namespace

const Builtin& validate_re_function() {
    static const Builtin def{
        .name = "validate_re",
        .doc =
            "A text must match a regular expression, or one of several. Deprecated: declare a type, or call "
            "validate_legacy.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "args", Dispatch::Repeated}},
                        .block = "Optional[Callable]",
                        .call = stdlib_validate_re}},
    };
    return def;
}

}  // namespace volley::stdlib
