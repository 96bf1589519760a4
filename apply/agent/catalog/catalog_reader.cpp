#include <nlohmann/json.hpp>
#include <utility>

#include "apply/agent/catalog/catalog.hpp"
#include "apply/agent/types/instance.hpp"
#include "apply/agent/values/errors.hpp"
#include "support/json/json_parts.hpp"
#include "support/json/json_text.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

/// A catalog of 10,000 resources has some 20 MB.
constexpr JsonLimits catalog_limits{.depth = 200, .values = 20'000'000, .bytes = 512UL << 20U};

bool has_deferred(const Value& value) {
    if (value.is(Value::Kind::Deferred)) return true;
    if (value.is(Value::Kind::Array)) {
        for (const Value& item : value.items()) {
            if (has_deferred(item)) return true;
        }
    } else if (value.is(Value::Kind::Hash)) {
        for (const auto& [key, item] : value.pairs()) {
            if (has_deferred(key) || has_deferred(item)) return true;
        }
    }
    return false;
}

void read_metaparameters(Resource& resource) {
    resource.require = resource.texts("require");
    resource.subscribe = resource.texts("subscribe");
    resource.before = resource.texts("before");
    resource.notify = resource.texts("notify");
    resource.audit = resource.texts("audit");
    resource.schedule = resource.text("schedule");
    resource.loglevel = resource.text("loglevel", "notice");
    if (resource.find("noop") != nullptr) resource.noop = resource.text("noop") == "true";
    for (const std::string& tag : resource.texts("tag")) resource.add_tag(tag);
}

void read_parameters(Resource& resource, const Json& json) {
    if (const auto found = json.find("parameters"); found != json.end() && found->is_object()) {
        resource.parameters.reserve(found->size());
        for (const auto& [name, item] : found->items()) {
            bool sensitive = false;
            Value value = value_from_json(item, sensitive);
            if (has_deferred(value))
                throw ApplyError(
                    resource.reference() + ": '" + name +
                    "' is a Deferred value, which has to be resolved before the catalog is sent");
            if (sensitive) resource.sensitive.insert(name);
            resource.parameters.emplace_back(name, std::move(value));
        }
    }
    if (const auto found = json.find("sensitive_parameters"); found != json.end() && found->is_array()) {
        for (const Json& name : *found) {
            if (name.is_string()) resource.sensitive.insert(name.get<std::string>());
        }
    }
}

/// Types of modules that the controller has read: {"nova_config": {"base": "config_setting", "path": ...}}.
decltype(Catalog::module_types) read_module_types(const Json& json) {
    decltype(Catalog::module_types) types;
    if (!json.is_object()) return types;
    for (const auto& [name, facts] : json.items()) {
        if (!facts.is_object()) throw ApplyError("The entry for type " + name + " is not an object");
        auto type = std::make_shared<ModuleType>();
        for (const auto& [key, value] : facts.items()) {
            if (!value.is_string())
                throw ApplyError("The catalog has a value of the type " + name + " that is not a text");
            (key == "base" ? type->base : type->facts[key]) = value.get<std::string>();
        }
        if (!is_native_type(type->base))
            throw ApplyError("The agent does not have the type " + type->base + ", which " + name +
                             " is made of");
        types.emplace(name, std::move(type));
    }
    return types;
}

/// Without what the types of modules say about it.
std::unique_ptr<Resource> read_resource(const Json& json) {
    if (!json.is_object()) throw ApplyError("The catalog has a resource that is not an object");
    auto resource = std::make_unique<Resource>();
    resource->type = text_in(json, "type");
    resource->title = text_in(json, "title");
    if (resource->type.empty()) throw ApplyError("The catalog has a resource without a type");
    if (resource->type == "Class")
        resource->title = plain_reference("Class[" + resource->title + "]").substr(6);
    if (resource->type == "Class") resource->title.pop_back();
    const bool native = text_in(json, "kind") == "compilable_type" || is_native_type(resource->type);
    if (resource->type == "Class" || resource->type == "Stage" || !native)
        resource->role = Resource::Role::Container;
    resource->file = text_in(json, "file");
    if (const auto line = json.find("line"); line != json.end() && line->is_number_integer())
        resource->line = line->get<std::int64_t>();
    if (const auto tags = json.find("tags"); tags != json.end() && tags->is_array()) {
        resource->tags.reserve(tags->size());
        for (const Json& tag : *tags) {
            if (tag.is_string()) resource->add_tag(tag.get<std::string>());
        }
    }
    read_parameters(*resource, json);
    read_metaparameters(*resource);
    return resource;
}

/// Takes the document as it is read: thousands of resources are not in memory as JSON.
class CatalogParts final : public JsonParts {
public:
    Catalog catalog;

    bool wants_items(const std::string& name) const override {
        return name == "resources" || name == "edges";
    }
    void item(const std::string& list, Json item) override {
        if (list == "resources") return add(read_resource(item));
        if (!item.is_object()) throw ApplyError("The catalog has an edge that is not an object");
        edges_.emplace_back(text_in(item, "source"), text_in(item, "target"));
    }
    void member(const std::string& name, Json value) override {
        if (name == "resources") has_resources_ = value.is_array();
        if (name == "module_types") catalog.module_types = read_module_types(value);
        if (name == "other_types" && value.is_array()) {
            for (const Json& type : value) {
                if (type.is_string()) catalog.other_types.insert(type.get<std::string>());
            }
        }
        if (name == "version") catalog.version = value.is_string() ? value.get<std::string>() : value.dump();
        for (const auto& [own, text] :
             {std::pair("name", &Catalog::name), std::pair("environment", &Catalog::environment),
              std::pair("catalog_uuid", &Catalog::catalog_uuid), std::pair("code_id", &Catalog::code_id)}) {
            if (name == own && value.is_string()) catalog.*text = value.get<std::string>();
        }
    }
    bool has_resources() const noexcept { return has_resources_; }

    /// When all is read.
    void finish() {
        for (const auto& resource : catalog.resources()) use_module_type(*resource);
        for (const auto& [from, to] : edges_) {
            Resource* source = catalog.find(from);
            Resource* target = catalog.find(to);
            if (source == nullptr || target == nullptr)
                throw ApplyError("The catalog has an edge from " + from + " to " + to +
                                 ", which are not both in it");
            catalog.contain(*source, *target);
        }
    }

private:
    void add(std::unique_ptr<Resource> resource) {
        const std::string reference = resource->reference();
        if (catalog.find(reference) != nullptr) throw ApplyError("The catalog has " + reference + " twice");
        Resource& added = catalog.add(std::move(resource));
        for (const std::string& name : added.texts("alias"))
            catalog.add_alias(added.type + "[" + name + "]", added);
    }
    void use_module_type(Resource& resource) const {
        if (catalog.module_types.empty()) return;
        const auto known = catalog.module_types.find(lower(resource.type));
        if (known == catalog.module_types.end()) return;
        resource.module_type = known->second;
        if (resource.type != "Class" && resource.type != "Stage") resource.role = Resource::Role::Native;
    }

    std::vector<std::pair<std::string, std::string>> edges_;  // source and target
    bool has_resources_ = false;
};

void check_containment(const Catalog& catalog) {
    for (const auto& resource : catalog.resources()) {
        const Resource* at = resource.get();
        for (std::size_t depth = 0; at != nullptr; at = at->container) {
            if (++depth > 10'000) throw ApplyError(resource->reference() + " is contained in itself");
        }
    }
}

}  // namespace

Catalog read_catalog(std::string_view document) {
    CatalogParts parts;
    try {
        if (!read_json_parts(document, parts, catalog_limits) || !parts.has_resources())
            throw ApplyError("The catalog has no list of resources");
    } catch (const JsonError& error) {
        throw ApplyError("The catalog is not valid JSON: " + std::string(error.what()));
    }
    parts.finish();
    check_containment(parts.catalog);
    return std::move(parts.catalog);
}

}  // namespace volley::agent
