#include "planner/functions/plan_function.hpp"

namespace volley::planner {
namespace {

Value do_out_verbose(PlanCall& call) {
    const std::string text = message_text(call.arguments[0]);
    call.run.executor().publish(Message{text, true});
    return {};
}

}  // namespace

const Builtin& out_verbose_function() {
    static const Builtin def{
        .name = "out::verbose",
        .doc = "Prints a message when the user wants to see more.",
        .dispatches = {{.params = {{"Any", "message"}},
                        .returns = "Undef",
                        .call = plan_body<do_out_verbose>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
