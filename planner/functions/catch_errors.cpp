#include <algorithm>

#include "language/evaluator/closure.hpp"
#include "planner/functions/plan_function.hpp"
#include "planner/plan/plan_error.hpp"

namespace volley::planner {
namespace {

bool kind_listed(const Array& kinds, const std::string& kind) {
    return std::any_of(kinds.begin(), kinds.end(),
                       [&kind](const Value& one) { return one.as_string() == kind; });
}

Value do_catch_errors(PlanCall& call) {
    try {
        return call.context.yield({});
    } catch (const Error& error) {
        if (!is_catchable(error)) throw;
        if (call.has(0) && !kind_listed(call.arguments[0].as_array(), error.info().kind())) throw;
        return to_plan_error(error, call.at()).value();
    }
}

}  // namespace

const Builtin& catch_errors_function() {
    static const Builtin def{
        .name = "catch_errors",
        .doc = "Runs a block; an error in it, or one of the kinds named, becomes its value.",
        .dispatches = {{.params = {{"Array[String[1]]", "error_types", Dispatch::Optional}},
                        .block = "Callable[0, 0]",
                        .returns = "Any",
                        .call = plan_body<do_catch_errors>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
