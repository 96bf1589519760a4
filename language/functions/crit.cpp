#include "language/evaluator/evaluator.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/log_text.hpp"

namespace volley::builtins {
namespace {

Value crit_log_line(CallContext& context, std::span<const Value> args) {
    context.evaluator.log(Severity::Crit, log_text(args), context.frame, context.at);
    return {};
}

}  // namespace

const Builtin& crit_builtin() {
    static const Builtin def{
        .name = "crit",
        .doc = "Logs its arguments with the level crit.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "values", Dispatch::Repeated}},
                        .returns = "Undef",
                        .call = crit_log_line}},
    };
    return def;
}

}  // namespace volley::builtins
