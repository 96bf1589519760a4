#include "planner/functions/plan_function.hpp"

namespace volley::planner {
namespace {

Value do_resource(PlanCall& call) {
    const auto* target = object_in<TargetObject>(call.arguments[0]);
    const std::string reference = ResourceObject::reference(Evaluator::text(call.arguments[1]), call.text(2));
    const auto known = target->resources().find(target->target().name());
    if (known == target->resources().end()) return {};
    for (const auto& resource : known->second) {
        if (resource->reference() == reference) return object_value(resource);
    }
    return {};
}

}  // namespace

const Builtin& resource_function() {
    static const Builtin def{
        .name = "resource",
        .doc = "A resource that is known of a target; undef when it is not.",
        .dispatches = {{.params = {{"Target", "target"}, {"Type[Resource]", "type"}, {"String[1]", "title"}},
                        .returns = "Optional[ResourceInstance]",
                        .call = plan_body<do_resource>},
                       {.params = {{"Target", "target"}, {"String[1]", "type"}, {"String[1]", "title"}},
                        .returns = "Optional[ResourceInstance]",
                        .call = plan_body<do_resource>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
