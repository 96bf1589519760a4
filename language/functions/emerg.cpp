#include "language/evaluator/evaluator.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/log_text.hpp"

namespace volley::builtins {
namespace {

Value emerg_log_line(CallContext& context, std::span<const Value> args) {
    context.evaluator.log(Severity::Emerg, log_text(args), context.frame, context.at);
    return {};
}

}  // namespace

const Builtin& emerg_builtin() {
    static const Builtin def{
        .name = "emerg",
        .doc = "Logs its arguments with the level emerg.",
        .pure = true,
        .dispatches = {{.params = {{"Any", "values", Dispatch::Repeated}},
                        .returns = "Undef",
                        .call = emerg_log_line}},
    };
    return def;
}

}  // namespace volley::builtins
