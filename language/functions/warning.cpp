#include "language/evaluator/evaluator.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/log_text.hpp"

namespace volley::builtins {
namespace {

Value warning_log_line(CallContext& context, std::span<const Value> args) {
    context.evaluator.log(Severity::Warning, log_text(args), context.frame, context.at);
    return {};
}

}  // namespace

const Builtin& warning_builtin() {
    static const Builtin def{
        .name = "warning",
        .doc = "Logs its arguments with the level warning.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "values", Dispatch::Repeated}},
                        .returns = "Undef",
                        .call = warning_log_line}},
    };
    return def;
}

}  // namespace volley::builtins
