#include "language/evaluator/evaluator.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/log_text.hpp"

namespace volley::builtins {
namespace {

Value alert_log_line(CallContext& context, std::span<const Value> args) {
    context.evaluator.log(Severity::Alert, log_text(args), context.frame, context.at);
    return {};
}

}  // namespace

const Builtin& alert_builtin() {
    static const Builtin def{
        .name = "alert",
        .doc = "Logs its arguments with the level alert.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "values", Dispatch::Repeated}},
                        .returns = "Undef",
                        .call = alert_log_line}},
    };
    return def;
}

}  // namespace volley::builtins
