#include "planner/functions/plan_function.hpp"
#include "planner/plan/plan_error.hpp"

namespace volley::planner {
namespace {

Value do_fail_plan(PlanCall& call) {
    const auto part = [&call](std::size_t index) {
        return call.has(index) ? call.arguments[index] : Value();
    };
    const Value kind = part(1).is_undef() ? Value("bolt/plan-failure") : part(1);
    throw PlanError(make_error_value(call.text(0), kind, part(2), part(3)), call.at());
}

Value do_fail_with_error(PlanCall& call) {
    const auto& error = call.arguments[0].as<ObjectBase>();
    const auto part = [&error](const char* name) { return error.attribute(name).value_or(Value()); };
    const Value kind = part("kind").is_undef() ? Value("bolt/plan-failure") : part("kind");
    throw PlanError(make_error_value(part("msg").as_string(), kind, part("details"), part("issue_code")),
                    call.at());
}

}  // namespace

const Builtin& fail_plan_function() {
    static const Builtin def{
        .name = "fail_plan",
        .doc = "Ends the plan with an error.",
        .dispatches = {{.params = {{"String[1]", "msg"},
                                   {"String[1]", "kind", Dispatch::Optional},
                                   {"Hash[String[1], Any]", "details", Dispatch::Optional},
                                   {"String[1]", "issue_code", Dispatch::Optional}},
                        .call = plan_body<do_fail_plan>},
                       {.params = {{"Error", "error"}}, .call = plan_body<do_fail_with_error>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
