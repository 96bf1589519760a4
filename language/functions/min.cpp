#include "language/functions/builtin.hpp"
#include "language/functions/extremes.hpp"

namespace volley::builtins {
namespace {

Value min(CallContext& context, std::span<const Value> args) { return extreme(context, args, -1); }

}  // namespace

const Builtin& min_builtin() {
    static const Builtin def{
        .name = "min",
        .doc = "The least of several values.",
        .pure = true,
        .dispatches = {extreme_dispatches(min)},
    };
    return def;
}

}  // namespace volley::builtins
