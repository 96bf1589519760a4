#include "planner/functions/plan_function.hpp"
#include "support/log.hpp"

namespace volley::planner {
namespace {

Value do_log_error(PlanCall& call) {
    log(LogLevel::Error, "planner.plan", message_text(call.arguments[0]));
    return {};
}

}  // namespace

const Builtin& log_error_function() {
    static const Builtin def{
        .name = "log::error",
        .doc = "Logs a message at the level error.",
        .dispatches = {{.params = {{"Any", "message"}}, .returns = "Undef", .call = plan_body<do_log_error>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
