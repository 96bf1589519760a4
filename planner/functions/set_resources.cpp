#include "planner/functions/plan_function.hpp"
#include "support/error.hpp"

namespace volley::planner {
namespace {

using ResourceRef = Ref<const ResourceObject>;

/// FN-028: from what get_resources returns (`parameters`) or a report says (`resource_type`).
ResourceRef resource_from_hash(PlanCall& call, const Hash& given) {
    const auto part = [&given](const char* name, const char* other = nullptr) {
        const Value* value = given.find(name);
        if ((!value || value->is_undef()) && other) value = given.find(other);
        return value ? *value : Value();
    };
    Value target = part("target").is_undef() ? call.arguments[0] : part("target");
    if (!object_in<TargetObject>(target)) target = call.run.target_value(call.run.resolve(target).at(0));
    const Value type = part("type", "resource_type");
    const Value title = part("title");
    if (type.is_undef() || !title.is_string()) {
        throw Error("bolt/validation-error", "A resource needs a type and a title");
    }
    return make_shared_object<ResourceObject>(
        Ref<const TargetObject>(object_in<TargetObject>(target)), Evaluator::text(type), title.as_string(),
        part("state", "parameters"), part("desired_state"), part("events"));
}

/// A known resource gets the new state and more events.
ResourceRef note_resource(std::vector<ResourceRef>& known, const ResourceRef& resource) {
    for (const ResourceRef& old : known) {
        if (old->reference() != resource->reference()) continue;
        old->state = resource->state;
        old->desired_state = resource->desired_state;
        std::vector<Value> events = old->events.as_array().items();
        for (const Value& event : resource->events.as_array()) events.push_back(event);
        old->events = Value(std::move(events));
        return old;
    }
    known.push_back(resource);
    return resource;
}

Value do_set_resources(PlanCall& call) {
    const auto* target = object_in<TargetObject>(call.arguments[0]);
    std::vector<Value> given{call.arguments[1]};
    if (call.arguments[1].is_array()) given = call.arguments[1].as_array().items();
    std::vector<Value> noted;
    for (const Value& one : given) {
        const auto* object = object_in<ResourceObject>(one);
        const ResourceRef resource = object ? ResourceRef(object) : resource_from_hash(call, one.as_hash());
        if (!resource->target()->equals(*target)) {
            throw Error("bolt/validation-error",
                        "Cannot set resource " + resource->reference() + " for target " +
                            resource->target()->text() + " on target " + target->text() +
                            ". (file: " + call.at().file + ", line: " + std::to_string(call.at().line) + ")");
        }
        noted.push_back(object_value(note_resource(target->resources()[target->target().name()], resource)));
    }
    return noted;
}

}  // namespace

const Builtin& set_resources_function() {
    static const Builtin def{
        .name = "set_resources",
        .doc = "Records resources of a target.",
        .dispatches = {{.params = {{"Target", "target"},
                                   {"Variant[Hash, ResourceInstance, Array[Variant[Hash, ResourceInstance]]]",
                                    "resources"}},
                        .returns = "Array[ResourceInstance]",
                        .call = plan_body<do_set_resources>}},
        .local_types = plan_local_types(),
        .native_types = &plan_types(),
    };
    return def;
}

}  // namespace volley::planner
