#include "planner/functions/plan_function.hpp"

namespace volley::planner {
namespace {

Value do_out_message(PlanCall& call) {
    const std::string text = message_text(call.arguments[0]);
    call.run.executor().publish(Message{text, false});
    return {};
}

}  // namespace

const Builtin& out_message_function() {
    static const Builtin def{
        .name = "out::message",
        .doc = "Prints a message.",
        .dispatches = {{.params = {{"Any", "message"}},
                        .returns = "Undef",
                        .call = plan_body<do_out_message>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
