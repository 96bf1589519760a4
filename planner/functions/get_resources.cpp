#include "planner/functions/plan_function.hpp"
#include "support/error.hpp"

namespace volley::planner {
namespace {

/// The door for reading resources, which another room opens.
Value do_get_resources(PlanCall& call) {
    throw Error("volley/not-yet", std::string(call.context.name) + " needs reading resources, which this version does not have yet (issue 5)");
}

}  // namespace

const Builtin& get_resources_function() {
    static const Builtin def{
        .name = "get_resources",
        .doc = "The resources of targets as they are.",
        .dispatches = {{.params = {{"Boltlib::TargetSpec", "targets"}, {"Variant[String, Type[Resource], Array[Variant[String, Type[Resource]]]]", "resources"}}, .returns = "ResultSet", .call = plan_body<do_get_resources>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
