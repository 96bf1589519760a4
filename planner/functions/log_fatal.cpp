#include "planner/functions/plan_function.hpp"
#include "support/log.hpp"

namespace volley::planner {
namespace {

Value do_log_fatal(PlanCall& call) {
    log(LogLevel::Fatal, "planner.plan", message_text(call.arguments[0]));
    return {};
}

}  // namespace

const Builtin& log_fatal_function() {
    static const Builtin def{
        .name = "log::fatal",
        .doc = "Logs a message at the level fatal.",
        .dispatches = {{.params = {{"Any", "message"}}, .returns = "Undef", .call = plan_body<do_log_fatal>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
