#include "language/functions/builtin.hpp"

namespace volley::builtins {
namespace {

Value with(CallContext& context, std::span<const Value> args) {
    return context.yield(std::vector<Value>(args.begin(), args.end()));
}

}  // namespace

const Builtin& with_builtin() {
    static const Builtin def{
        .name = "with",
        .doc = "Calls a lambda with the arguments.",
        .dispatches = {{.params = {{"Any", "arg", Dispatch::Repeated}}, .block = "Callable", .call = with}},
    };
    return def;
}

}  // namespace volley::builtins
