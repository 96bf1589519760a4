#include "language/evaluator/evaluator.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/log_text.hpp"

namespace volley::builtins {
namespace {

Value err_log_line(CallContext& context, std::span<const Value> args) {
    context.evaluator.log(Severity::Err, log_text(args), context.frame, context.at);
    return {};
}

}  // namespace

const Builtin& err_builtin() {
    static const Builtin def{
        .name = "err",
        .doc = "Logs its arguments with the level err.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "values", Dispatch::Repeated}},
                        .returns = "Undef",
                        .call = err_log_line}},
    };
    return def;
}

}  // namespace volley::builtins
