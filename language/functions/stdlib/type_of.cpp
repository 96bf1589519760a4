#include "language/functions/stdlib/common.hpp"
#include "language/types/type.hpp"

namespace volley::stdlib {
namespace {

Value stdlib_type_of(CallContext&, std::span<const Value> args) { return infer_set(args[0]); }

}  // namespace

const Builtin& type_of_function() {
    static const Builtin def{
        .name = "type_of",
        .doc = "The type of a value with all its details.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "value"}}, .call = stdlib_type_of}},
    };
    return def;
}

}  // namespace volley::stdlib
