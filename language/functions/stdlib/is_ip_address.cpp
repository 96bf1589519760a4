#include "language/functions/stdlib/common.hpp"
#include "language/functions/stdlib/old_checks.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_is_ip_address(CallContext& context, std::span<const Value> args) {
    deprecate(context, "is_ip_address", deprecated_text("Stdlib::Compat::Ip_address", DeprecatedFor::Match));
    return check_is_ip_address(args);
}

}  // namespace

const Builtin& is_ip_address_function() {
    static const Builtin def{
        .name = "is_ip_address",
        .doc = "Whether its argument is an IP address. Deprecated: match it with a type.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "args", Dispatch::Repeated}},
                        .block = "Optional[Callable]",
                        .call = stdlib_is_ip_address}},
    };
    return def;
}

}  // namespace volley::stdlib
