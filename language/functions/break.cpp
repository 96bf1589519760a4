#include "language/evaluator/evaluator.hpp"
#include "language/functions/builtin.hpp"

namespace volley::builtins {
namespace {

Value break_leave(CallContext& context, std::span<const Value>) {
    throw Jump{Jump::Kind::Break, {}, context.at};
}

}  // namespace

const Builtin& break_builtin() {
    static const Builtin def{
        .name = "break",
        .doc = "Ends the innermost iteration.",
        .dispatches = {{.params = {}, .call = break_leave}},
    };
    return def;
}

}  // namespace volley::builtins
