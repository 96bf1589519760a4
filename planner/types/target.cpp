#include <nlohmann/json.hpp>

#include "inventory/inventory.hpp"
#include "language/json.hpp"
#include "planner/plan/plan_run.hpp"
#include "planner/types/declarations.hpp"
#include "planner/types/plan_types.hpp"

namespace volley::planner {
namespace {

const inventory::Target& target_self(const Value& self) { return self.as<TargetObject>().target(); }

template <class T>
Value target_optional(const std::optional<T>& value) {
    return value ? Value(*value) : Value();
}

Value target_host(CallContext&, const Value& self, std::span<const Value>) {
    const std::string host = target_self(self).host();
    return host.empty() ? Value() : Value(host);
}
Value target_password(CallContext&, const Value& self, std::span<const Value>) {
    return target_optional(target_self(self).password());
}
Value target_port(CallContext&, const Value& self, std::span<const Value>) {
    return target_optional(target_self(self).port());
}
Value target_protocol(CallContext&, const Value& self, std::span<const Value>) {
    return target_self(self).protocol();
}
Value target_transport(CallContext&, const Value& self, std::span<const Value>) {
    return target_self(self).transport();
}
Value target_transport_config(CallContext&, const Value& self, std::span<const Value>) {
    return from_json(*target_self(self).options());
}
Value target_user(CallContext&, const Value& self, std::span<const Value>) {
    return target_optional(target_self(self).user());
}

/// INV-070: Target.new('uri') and Target.new({...}).
Value target_create(CallContext& context, const Hash& given) {
    PlanRun& run = PlanRun::of(context);
    Json data = Json::object();
    for (const Hash::Entry& entry : given) data[entry.key.as_string()] = to_json(entry.value);
    return run.target_value(run.inventory().create(data));
}

Value target_resources(const TargetObject& target) {
    HashBuilder resources;
    const auto found = target.resources().find(target.target().name());
    if (found == target.resources().end()) return resources.build();
    for (const auto& resource : found->second) resources.set(Value(resource->reference()), object_value(resource));
    return resources.build();
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
    return that != nullptr && that->target_.name() == target_.name();
}

std::size_t TargetObject::hash() const { return std::hash<std::string>()(target_.name()); }

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
        .methods = {{"host", target_host},
                    {"password", target_password},
                    {"port", target_port},
                    {"protocol", target_protocol},
                    {"transport", target_transport},
                    {"transport_config", target_transport_config},
                    {"user", target_user}},
        .create = target_create,
    };
    return type;
}

}  // namespace volley::planner
