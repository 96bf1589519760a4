#include "language/functions/stdlib/common.hpp"
#include "language/types/type.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_is_a(CallContext&, std::span<const Value> args) {
    return is_instance(*args[1].as_type(), args[0]);
}

}  // namespace

const Builtin& is_a_function() {
    static const Builtin def{
        .name = "is_a",
        .doc = "Whether a value is an instance of a type.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "value"}, {"Type", "type"}}, .call = stdlib_is_a}},
    };
    return def;
}

}  // namespace volley::stdlib
