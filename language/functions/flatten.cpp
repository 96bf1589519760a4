#include "language/flattened.hpp"
#include "language/functions/builtin.hpp"

namespace volley::builtins {
namespace {

Value flatten(CallContext&, std::span<const Value> args) {
    std::vector<Value> result;
    for (const Value& value : args) flatten_into(value, result);
    return result;
}

}  // namespace

const Builtin& flatten_builtin() {
    static const Builtin def{
        .name = "flatten",
        .doc = "All arguments as one list without nested lists.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "args", Dispatch::Repeated}}, .call = flatten}},
    };
    return def;
}

}  // namespace volley::builtins
