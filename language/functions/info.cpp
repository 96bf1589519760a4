#include "language/evaluator/evaluator.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/log_text.hpp"

namespace volley::builtins {
namespace {

Value info_log_line(CallContext& context, std::span<const Value> args) {
    context.evaluator.log(Severity::Info, log_text(args), context.frame, context.at);
    return {};
}

}  // namespace

const Builtin& info_builtin() {
    static const Builtin def{
        .name = "info",
        .doc = "Logs its arguments with the level info.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "values", Dispatch::Repeated}},
                        .returns = "Undef",
                        .call = info_log_line}},
    };
    return def;
}

}  // namespace volley::builtins
