#include "planner/fibers/duration.hpp"
#include "planner/functions/plan_function.hpp"

namespace volley::planner {
namespace {

Value do_ctrl_sleep(PlanCall& call) {
    const double seconds = call.arguments[0].as_float();
    if (seconds < 0) fail_as_ruby("time interval must not be negative");
    call.run.fibers().sleep(bounded_duration(seconds));
    return {};
}

}  // namespace

const Builtin& ctrl_sleep_function() {
    static const Builtin def{
        .name = "ctrl::sleep",
        .doc = "Waits for some seconds.",
        .dispatches = {{.params = {{"Numeric", "period"}},
                        .returns = "Undef",
                        .call = plan_body<do_ctrl_sleep>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
