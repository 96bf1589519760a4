#include "language/evaluator/closure.hpp"
#include "planner/fibers/duration.hpp"
#include "planner/functions/plan_function.hpp"

namespace volley::planner {
namespace {

Value do_ctrl_do_until(PlanCall& call) {
    const auto option = [&call](const char* name) {
        const Value* value = call.has(0) ? call.arguments[0].as_hash().find(name) : nullptr;
        return value ? *value : Value();
    };
    const Value limit = option("limit");
    const Value interval = option("interval");
    std::int64_t count = 0;
    while (true) {
        Value result = call.context.yield({});
        if (result.truthy()) return result;
        ++count;
        if (limit.is(Kind::Integer) && limit.as_integer() != 0 && count >= limit.as_integer()) return result;
        const double pause = interval.is_number() ? interval.as_float() : 0;
        // Also without a pause the loop has its turn, so that Ctrl-C and other blocks are heard.
        call.run.fibers().sleep(bounded_duration(pause));
    }
}

}  // namespace

const Builtin& ctrl_do_until_function() {
    static const Builtin def{
        .name = "ctrl::do_until",
        .doc = "Runs a block again and again until it returns something true.",
        .dispatches = {{.params = {{"Hash[String[1], Any]", "options", Dispatch::Optional}},
                        .block = "Callable",
                        .call = plan_body<do_ctrl_do_until>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
        .options = FunctionOptions{{"interval", "limit"}},
    };
    return def;
}

}  // namespace volley::planner
