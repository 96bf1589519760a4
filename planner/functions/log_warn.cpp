#include "planner/functions/plan_function.hpp"
#include "support/log.hpp"

namespace volley::planner {
namespace {

Value do_log_warn(PlanCall& call) {
    log(LogLevel::Warn, "planner.plan", message_text(call.arguments[0]));
    return {};
}

}  // namespace

const Builtin& log_warn_function() {
    static const Builtin def{
        .name = "log::warn",
        .doc = "Logs a message at the level warn.",
        .dispatches = {{.params = {{"Any", "message"}}, .returns = "Undef", .call = plan_body<do_log_warn>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
