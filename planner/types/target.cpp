#include <nlohmann/json.hpp>

#include "inventory/inventory.hpp"
#include "language/functions/builtin.hpp"
#include "language/serialization/json.hpp"
#include "planner/plan/plan_error.hpp"
#include "planner/plan/plan_run.hpp"
#include "planner/types/declarations.hpp"
#include "planner/types/plan_types.hpp"
#include "support/error.hpp"

namespace volley::planner {
namespace {

template <class T>
Value target_optional(const std::optional<T>& value) {
    return value ? Value(*value) : Value();
}

struct TargetMethod {
    std::string_view name;
    Value (*ask)(const inventory::Target&);
};
constexpr TargetMethod target_methods[] = {
    {"host",
     [](const inventory::Target& target) {
         const std::string host = target.host();
         return host.empty() ? Value() : Value(host);
     }},
    {"password", [](const inventory::Target& target) { return target_optional(target.password()); }},
    {"port", [](const inventory::Target& target) { return target_optional(target.port()); }},
    {"protocol", [](const inventory::Target& target) { return Value(target.protocol()); }},
    {"transport", [](const inventory::Target& target) { return Value(target.transport()); }},
    {"transport_config", [](const inventory::Target& target) { return from_json(*target.options()); }},
    {"user", [](const inventory::Target& target) { return target_optional(target.user()); }},
};
constexpr std::string_view target_attributes[] = {"uri",  "name",  "safe_name", "target_alias", "config",
                                                  "vars", "facts", "features",  "plugin_hooks", "resources"};

/// The body of the method of that index.
template <std::size_t Index>
Value target_method(CallContext&, const Value& self, std::span<const Value>) {
    return self.as<TargetObject>().answer(target_methods[Index].name);
}

/// INV-070: Target.new('uri') and Target.new({...}).
Value target_create(CallContext& context, const Hash& given) {
    PlanRun* run = PlanRun::find(context);
    if (run == nullptr)  // DT-009
        throw Error("bolt/apply-error", "Target objects cannot be instantiated inside apply blocks");
    Json data = Json::object();
    for (const Hash::Entry& entry : given) data[entry.key.as_string()] = to_json(entry.value);
    try {
        return run->target_value(run->inventory().create(data));
    } catch (const Error& error) {
        if (!is_catchable(error)) throw;
        throw to_plan_error(error, context.at);
    }
}

Value target_resources(const TargetObject& target) {
    HashBuilder resources;
    const auto found = target.resources().find(target.target().name());
    if (found == target.resources().end()) return resources.build();
    for (const auto& resource : found->second)
        resources.set(Value(resource->reference()), object_value(resource));
    return resources.build();
}

/// Copies of what the plan knows of a target's resources; `bare` is what they say they belong to.
Value snapshot_resources(const TargetObject& live, const Ref<const TargetObject>& bare) {
    HashBuilder copies;
    const auto found = live.resources().find(live.target().name());
    if (found == live.resources().end()) return copies.build();
    for (const auto& resource : found->second) {
        const auto copy = make_shared_object<ResourceObject>(
            bare, resource->attribute("type")->as_string(), resource->attribute("title")->as_string(),
            resource->state, resource->desired_state, resource->events);
        copies.set(Value(resource->reference()), object_value(copy));
    }
    return copies.build();
}

Value target_aliases(const inventory::Target& target) {
    std::vector<Value> names;
    for (const std::string& alias : target.aliases()) names.emplace_back(alias);
    return names;
}

Value target_features(const inventory::Target& target) {
    std::vector<Value> names;
    for (const std::string& feature : target.features()) names.emplace_back(feature);
    return names;
}

}  // namespace

std::optional<Value> TargetObject::attribute(std::string_view name) const {
    if (snapshot_attributes_.is_hash()) {
        const Value* known = snapshot_attributes_.as_hash().find(name);
        return known ? std::optional(*known) : std::nullopt;
    }
    if (name == "name") return Value(target_.name());
    if (name == "uri") {
        const std::string uri = target_.uri();
        return uri.empty() ? Value() : Value(uri);
    }
    if (name == "safe_name") return Value(target_.safe_name());
    if (name == "target_alias") return target_aliases(target_);
    if (name == "config") return from_json(target_.config());
    if (name == "vars") return from_json(target_.vars());
    if (name == "facts") return from_json(target_.facts());
    if (name == "features") return target_features(target_);
    if (name == "plugin_hooks") return from_json(target_.plugin_hooks());
    if (name == "resources") return target_resources(*this);
    return std::nullopt;
}

bool TargetObject::equals(const Shared& other) const {
    const auto* that = dynamic_cast<const TargetObject*>(&other);
    return that != nullptr && that->name() == name();
}

std::size_t TargetObject::hash() const { return std::hash<std::string>()(name()); }

std::string TargetObject::name() const {
    return snapshot_attributes_.is_hash() ? attribute("name")->as_string() : target_.name();
}

std::string TargetObject::text() const {
    return snapshot_attributes_.is_hash() ? attribute("safe_name")->as_string() : target_.safe_name();
}

Value TargetObject::answer(std::string_view method) const {
    if (snapshot_answers_.is_hash()) return *snapshot_answers_.as_hash().find(method);
    for (const TargetMethod& known : target_methods) {
        if (known.name == method) return known.ask(target_);
    }
    return {};
}

Ref<const TargetObject> TargetObject::snapshot() const {
    if (snapshot_attributes_.is_hash()) return Ref<const TargetObject>(this);
    HashBuilder attributes;
    for (const std::string_view each : target_attributes) {
        if (each == "resources") continue;
        attributes.set(Value(std::string(each)), attribute(each).value_or(Value()));
    }
    HashBuilder answers;
    for (const TargetMethod& method : target_methods)
        answers.set(Value(std::string(method.name)), method.ask(target_));
    const Value all_answers = answers.build();
    attributes.set(Value("resources"), HashBuilder().build());
    const Value own = attributes.build();
    HashBuilder complete(own.as_hash());
    // Without resources of its own, so that no two objects hold each other.
    const Ref<const TargetObject> bare(new TargetObject(*this, own, all_answers));
    complete.set(Value("resources"), snapshot_resources(*this, bare));
    return Ref<const TargetObject>(new TargetObject(*this, complete.build(), all_answers));
}

const NativeType& target_type() {
    static const NativeType type{
        .name = "Target",
        .interface = R"(
            attributes => {
                uri => { type => Optional[String[1]], kind => given_or_derived },
                name => { type => Optional[String[1]] , kind => given_or_derived },
                safe_name => { type =>  Optional[String[1]], kind => given_or_derived },
                target_alias => { type => Optional[Variant[String[1], Array[String[1]]]],
                                  kind => given_or_derived },
                config => { type => Optional[Hash[String[1], Data]], kind => given_or_derived },
                vars => { type => Optional[Hash[String[1], Data]], kind => given_or_derived },
                facts => { type => Optional[Hash[String[1], Data]], kind => given_or_derived },
                features => { type => Optional[Array[String[1]]], kind => given_or_derived },
                plugin_hooks => { type => Optional[Hash[String[1], Data]], kind => given_or_derived },
                resources => { type => Optional[Hash[String[1], ResourceInstance]], kind => given_or_derived }
            },
            functions => {
                host => Callable[[], Optional[String]],
                password => Callable[[], Optional[String[1]]],
                port => Callable[[], Optional[Integer]],
                protocol => Callable[[], Optional[String[1]]],
                transport => Callable[[], String[1]],
                transport_config => Callable[[], Hash[String[1], Data]],
                user => Callable[[], Optional[String[1]]]
            })",
        .methods = {{"host", target_method<0>},
                    {"password", target_method<1>},
                    {"port", target_method<2>},
                    {"protocol", target_method<3>},
                    {"transport", target_method<4>},
                    {"transport_config", target_method<5>},
                    {"user", target_method<6>}},
        .create = target_create,
    };
    return type;
}

}  // namespace volley::planner
