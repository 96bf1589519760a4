#include "language/functions/stdlib/common.hpp"
#include "language/functions/stdlib/old_checks.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_validate_hash(CallContext& context, std::span<const Value> args) {
    deprecate(context, "validate_hash", deprecated_text("Stdlib::Compat::Hash", DeprecatedFor::Validation));
    check_hashes(args);
    return {};
}

}  // namespace

const Builtin& validate_hash_function() {
    static const Builtin def{
        .name = "validate_hash",
        .doc = "All arguments must be hashes. Deprecated: declare a type, or call validate_legacy.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "args", Dispatch::Repeated}},
                        .block = "Optional[Callable]",
                        .call = stdlib_validate_hash}},
    };
    return def;
}

}  // namespace volley::stdlib
