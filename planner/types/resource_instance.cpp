#include <algorithm>
#include <cctype>

#include "language/functions/builtin.hpp"
#include "language/text/text.hpp"
#include "planner/types/declarations.hpp"
#include "planner/types/plan_types.hpp"
#include "support/text.hpp"

namespace volley::planner {
namespace {

const ResourceObject& resource_self(const Value& self) { return self.as<ResourceObject>(); }

Value resource_merged(const Value& base, const Value& over) {
    HashBuilder merged(base.as_hash());
    for (const Hash::Entry& entry : over.as_hash()) merged.set(entry.key, entry.value);
    return merged.build();
}

/// In apply blocks, which several threads compile, resources of a plan only return what was known of them.
const ResourceObject& resource_to_change(const Value& self) {
    const ResourceObject& resource = resource_self(self);
    if (!resource.target()->is_snapshot()) return resource;
    throw EvalError("", "Resources of targets cannot be changed in apply blocks");
}

Value resource_add_event(CallContext&, const Value& self, std::span<const Value> arguments) {
    std::vector<Value> events = resource_self(self).events.as_array().items();
    events.push_back(arguments[0]);
    return resource_to_change(self).events = Value(std::move(events));
}
Value resource_set_state(CallContext&, const Value& self, std::span<const Value> arguments) {
    const ResourceObject& resource = resource_to_change(self);
    return resource.state = resource_merged(resource.state, arguments[0]);
}
Value resource_overwrite_state(CallContext&, const Value& self, std::span<const Value> arguments) {
    return resource_to_change(self).state = arguments[0];
}
Value resource_set_desired_state(CallContext&, const Value& self, std::span<const Value> arguments) {
    const ResourceObject& resource = resource_to_change(self);
    return resource.desired_state = resource_merged(resource.desired_state, arguments[0]);
}
Value resource_overwrite_desired(CallContext&, const Value& self, std::span<const Value> arguments) {
    return resource_to_change(self).desired_state = arguments[0];
}
Value resource_reference(CallContext&, const Value& self, std::span<const Value>) {
    return resource_self(self).reference();
}
Value resource_at(CallContext&, const Value& self, std::span<const Value> arguments) {
    return resource_self(self).indexed(arguments[0].as_string()).value_or(Value());
}

Value resource_create(CallContext&, const Hash& given) {
    const auto part = [&given](const char* name) {
        const Value* value = given.find(name);
        return value ? *value : Value();
    };
    return object_value(make_shared_object<ResourceObject>(
        Ref<const TargetObject>(&given.find("target")->as<TargetObject>()), to_text(part("type")),
        part("title").as_string(), part("state"), part("desired_state"), part("events")));
}

/// DT-010. Compatibility: Ruby's capitalize makes all other letters small.
std::string resource_type_name(std::string name) {
    name = lower(name);
    if (!name.empty()) name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    return name;
}

}  // namespace

ResourceObject::ResourceObject(Ref<const TargetObject> target, std::string type_name, std::string title,
                               Value now, Value desired, Value happened)
    : state(now.is_undef() ? HashBuilder().build() : std::move(now)),
      desired_state(desired.is_undef() ? HashBuilder().build() : std::move(desired)),
      events(happened.is_undef() ? Value(std::vector<Value>()) : std::move(happened)),
      target_(std::move(target)),
      type_name_(resource_type_name(std::move(type_name))),
      title_(std::move(title)) {}

std::string ResourceObject::reference(std::string type_name, const std::string& title) {
    return resource_type_name(std::move(type_name)) + "[" + title + "]";
}

std::optional<Value> ResourceObject::attribute(std::string_view name) const {
    if (name == "target") return object_value(target_);
    if (name == "type") return Value(type_name_);
    if (name == "title") return Value(title_);
    if (name == "state") return state;
    if (name == "desired_state") return desired_state;
    if (name == "events") return events;
    return std::nullopt;
}

std::optional<Value> ResourceObject::indexed(std::string_view key) const {
    const Value* found = state.as_hash().find(key);
    return found ? *found : Value();
}

bool ResourceObject::equals(const Shared& other) const {
    const auto* that = dynamic_cast<const ResourceObject*>(&other);
    return that != nullptr && that->reference() == reference() && that->target_->equals(*target_);
}

const NativeType& resource_instance_type() {
    static const NativeType type{
        .name = "ResourceInstance",
        .interface = R"(
            attributes => {
                'target' => Target,
                'type' => Variant[String[1], Type[Resource]],
                'title' => String[1],
                'state' => { type => Optional[Hash[String[1], Data]], value => undef },
                'desired_state' => { type => Optional[Hash[String[1], Data]], value => undef },
                'events' => { type => Optional[Array[Hash[String[1], Data]]], value => undef }
            },
            functions => {
                add_event => Callable[[Hash[String[1], Data]], Array[Hash[String[1], Data]]],
                set_state => Callable[[Hash[String[1], Data]], Hash[String[1], Data]],
                overwrite_state => Callable[[Hash[String[1], Data]], Hash[String[1], Data]],
                set_desired_state => Callable[[Hash[String[1], Data]], Hash[String[1], Data]],
                overwrite_desired_state => Callable[[Hash[String[1], Data]], Hash[String[1], Data]],
                reference => Callable[[], String],
                '[]' => Callable[[String[1]], Data]
            })",
        .methods = {{"add_event", resource_add_event},
                    {"set_state", resource_set_state},
                    {"overwrite_state", resource_overwrite_state},
                    {"set_desired_state", resource_set_desired_state},
                    {"overwrite_desired_state", resource_overwrite_desired},
                    {"reference", resource_reference},
                    {"[]", resource_at}},
        .create = resource_create,
    };
    return type;
}

}  // namespace volley::planner
