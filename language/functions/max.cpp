#include "language/functions/builtin.hpp"
#include "language/functions/extremes.hpp"

namespace volley::builtins {
namespace {

Value max(CallContext& context, std::span<const Value> args) { return extreme(context, args, 1); }

}  // namespace

const Builtin& max_builtin() {
    static const Builtin def{
        .name = "max",
        .doc = "The greatest of several values.",
        .pure = true,
        .dispatches = {extreme_dispatches(max)},
    };
    return def;
}

}  // namespace volley::builtins
