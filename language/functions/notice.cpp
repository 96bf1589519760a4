#include "language/evaluator/evaluator.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/log_text.hpp"

namespace volley::builtins {
namespace {

Value notice_log_line(CallContext& context, std::span<const Value> args) {
    context.evaluator.log(Severity::Notice, log_text(args), context.frame, context.at);
    return {};
}

}  // namespace

const Builtin& notice_builtin() {
    static const Builtin def{
        .name = "notice",
        .doc = "Logs its arguments with the level notice.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "values", Dispatch::Repeated}},
                        .returns = "Undef",
                        .call = notice_log_line}},
    };
    return def;
}

}  // namespace volley::builtins
