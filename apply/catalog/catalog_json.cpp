#include <algorithm>
#include <nlohmann/json.hpp>

#include "apply/catalog/catalog.hpp"
#include "apply/catalog/catalog_parts.hpp"
#include "language/errors.hpp"
#include "language/serialization/rich_data.hpp"
#include "language/types/types.hpp"

namespace volley {

std::string reference_in_catalog(const Value& value) {
    if (!value.is(Kind::Type)) return {};
    const TypePtr type = value.as_type();
    if (type->kind() != TypeKind::Resource) return {};
    const auto& reference = as<types::CatalogType>(*type);
    return reference.from_parameter ? types::reference_text(reference) : "";
}

namespace {

std::string key_in_catalog(const Value& key) {
    return key.is_string() ? key.as_string() : reference_in_catalog(key);
}

}  // namespace

Json catalog_value(const Value& value) {
    const NestingGuard guard;
    switch (value.kind()) {
        case Kind::Array: {
            Json list = Json::array();
            for (const Value& item : value.as_array()) list.push_back(catalog_value(item));
            return list;
        }
        case Kind::Hash: {
            const Hash& hash = value.as_hash();
            const bool named = std::all_of(hash.begin(), hash.end(), [](const Hash::Entry& entry) {
                return entry.key.is_string() ? entry.key.as_string() != "__ptype"
                                             : !reference_in_catalog(entry.key).empty();
            });
            if (!named) {
                Json list = Json::array();
                for (const auto& entry : hash) {
                    list.push_back(catalog_value(entry.key));
                    list.push_back(catalog_value(entry.value));
                }
                return Json{{"__ptype", "Hash"}, {"__pvalue", std::move(list)}};
            }
            Json object = Json::object();
            for (const auto& entry : hash) object[key_in_catalog(entry.key)] = catalog_value(entry.value);
            return object;
        }
        case Kind::Type: {
            const std::string reference = reference_in_catalog(value);
            return reference.empty() ? to_rich_json(value) : Json(reference);
        }
        default:
            return to_rich_json(value);
    }
}

std::string_view catalog_kind_text(CatalogResource::Kind kind) {
    static constexpr std::string_view names[] = {"unknown", "class", "defined_type", "compilable_type"};
    return names[static_cast<std::size_t>(kind)];
}

std::vector<bool> shown_resources(const Catalog& catalog, const CatalogFormat& format) {
    std::vector<bool> shown;
    for (const CatalogResource& one : catalog.resources) {
        const bool settings = one.type == "Class" && one.title == "Settings";
        shown.push_back((!one.is_virtual || format.virtual_resources) &&
                        (!settings || format.settings_class));
    }
    return shown;
}

namespace {

Json parameters_json(const CatalogResource& resource, bool sorted) {
    Json object = Json::object();
    std::vector<const std::pair<std::string, Value>*> list;
    for (const auto& one : resource.parameters) list.push_back(&one);
    if (sorted) {
        std::sort(list.begin(), list.end(), [](const auto* a, const auto* b) { return a->first < b->first; });
    }
    for (const auto* one : list) object[one->first] = catalog_value(one->second);
    return object;
}

Json puppet_resource(const CatalogResource& resource) {
    // Member by member: a list of them would be copied, and there are thousands.
    Json object = Json::object();
    object["type"] = resource.type;
    object["title"] = resource.title;
    object["tags"] = resource.tags;
    if (!resource.file.empty()) object["file"] = resource.file;
    if (resource.line > 0) object["line"] = resource.line;
    object["exported"] = resource.exported;
    object["kind"] = catalog_kind_text(resource.kind);
    if (!resource.parameters.empty()) object["parameters"] = parameters_json(resource, false);
    if (!resource.sensitive_parameters.empty())
        object["sensitive_parameters"] = resource.sensitive_parameters;
    return object;
}

Json conformance_resource(const CatalogResource& resource) {
    std::vector<std::string_view> tags = resource.tags;
    std::sort(tags.begin(), tags.end());
    Json object{{"type", resource.type},
                {"title", resource.title},
                {"tags", tags},
                {"exported", resource.exported},
                {"parameters", parameters_json(resource, true)}};
    if (resource.line > 0) object["line"] = resource.line;
    if (!resource.file.empty()) object["file"] = resource.file;
    if (!resource.sensitive_parameters.empty()) {
        std::vector<std::string> names = resource.sensitive_parameters;
        std::sort(names.begin(), names.end());
        object["sensitive_parameters"] = names;
    }
    return object;
}

Json edge_json(const Catalog& catalog, const CatalogEdge& edge) {
    Json object = Json::object();
    object["source"] = catalog.resources[edge.source].reference();
    object["target"] = catalog.resources[edge.target].reference();
    return object;
}

Json edges_json(const Catalog& catalog, const std::vector<bool>& shown) {
    Json list = Json::array();
    for (const CatalogEdge& edge : catalog.edges) {
        if (!shown[edge.source] || !shown[edge.target]) continue;
        list.push_back(edge_json(catalog, edge));
    }
    return list;
}

template <class Print>
Json resources_json(const Catalog& catalog, const std::vector<bool>& shown, Print print) {
    Json list = Json::array();
    for (std::size_t i = 0; i < catalog.resources.size(); ++i) {
        if (shown[i]) list.push_back(print(catalog.resources[i]));
    }
    return list;
}

}  // namespace

Json catalog_to_json(const Catalog& catalog, const CatalogFormat& format) {
    const std::vector<bool> shown = shown_resources(catalog, format);
    Json document{{"tags", catalog.tags}, {"name", catalog.name}, {"version", catalog.version},
                  {"code_id", nullptr},   {"catalog_format", 2},  {"environment", catalog.environment}};
    document["resources"] = resources_json(catalog, shown, puppet_resource);
    document["edges"] = edges_json(catalog, shown);
    document["classes"] = catalog.classes;
    return document;
}

Json catalog_to_comparable_json(const Catalog& catalog, const CatalogFormat& format) {
    const std::vector<bool> shown = shown_resources(catalog, format);
    std::vector<std::string> classes = catalog.classes;
    std::sort(classes.begin(), classes.end());
    return Json{{"name", catalog.name},
                {"environment", catalog.environment},
                {"classes", classes},
                {"resources", resources_json(catalog, shown, conformance_resource)},
                {"edges", edges_json(catalog, shown)}};
}

}  // namespace volley
