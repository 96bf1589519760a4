#include "language/evaluator/evaluator.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/log_text.hpp"

namespace volley::builtins {
namespace {

Value debug_log_line(CallContext& context, std::span<const Value> args) {
    context.evaluator.log(Severity::Debug, log_text(args), context.frame, context.at);
    return {};
}

}  // namespace

const Builtin& debug_builtin() {
    static const Builtin def{
        .name = "debug",
        .doc = "Logs its arguments with the level debug.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "values", Dispatch::Repeated}},
                        .returns = "Undef",
                        .call = debug_log_line}},
    };
    return def;
}

}  // namespace volley::builtins
