#include <nlohmann/json.hpp>

#include "language/serialization/json.hpp"
#include "planner/functions/plan_function.hpp"

namespace volley::planner {
namespace {

Value do_resolve_references(PlanCall& call) {
    return from_json(call.run.inventory().resolve_references(to_json(call.arguments[0])));
}

}  // namespace

const Builtin& resolve_references_function() {
    static const Builtin def{
        .name = "resolve_references",
        .doc = "Replaces references to plugins in data.",
        .dispatches = {{.params = {{"Data", "references"}},
                        .returns = "Data",
                        .call = plan_body<do_resolve_references>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
