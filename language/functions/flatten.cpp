#include "language/errors.hpp"
#include "language/functions/builtin.hpp"

namespace volley::builtins {
namespace {

void flatten_flatten_into(const Value& value, std::vector<Value>& out) {
    const NestingGuard guard;
    if (!value.is_array()) {
        out.push_back(value);
        return;
    }
    for (const Value& item : value.as_array()) flatten_flatten_into(item, out);
}
Value flatten_flatten(CallContext&, std::span<const Value> args) {
    std::vector<Value> result;
    for (const Value& value : args) flatten_flatten_into(value, result);
    return result;
}

}  // namespace

const Builtin& flatten_builtin() {
    static const Builtin def{
        .name = "flatten",
        .doc = "All arguments as one list without nested lists.",
        .dispatches = {{.params = {{"Any", "args", Dispatch::Repeated}}, .call = flatten_flatten}},
    };
    return def;
}

}  // namespace volley::builtins
