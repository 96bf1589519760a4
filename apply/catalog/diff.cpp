#include "apply/catalog/diff.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "apply/catalog/redaction.hpp"
#include "support/error.hpp"
#include "support/json/json_text.hpp"

namespace volley {
namespace {

using ResourceMap = std::map<std::string, const Json*>;

const Json& catalog_list(const Json& catalog, const char* key) {
    static const Json none = Json::array();
    if (!catalog.is_object() || !catalog.contains("resources")) {
        throw Error("volley/no-catalog", "This is not a catalog: it has no list of resources");
    }
    const auto found = catalog.find(key);
    return found != catalog.end() && found->is_array() ? *found : none;
}

ResourceMap resource_map(const Json& catalog) {
    ResourceMap result;
    for (const Json& one : catalog_list(catalog, "resources")) {
        if (one.is_object()) result[text_in(one, "type") + "[" + text_in(one, "title") + "]"] = &one;
    }
    return result;
}

std::set<std::string> text_set(const Json& list) {
    std::set<std::string> result;
    for (const Json& one : list) {
        if (one.is_string()) result.insert(one.get<std::string>());
    }
    return result;
}

std::set<std::string> edge_set(const Json& catalog) {
    std::set<std::string> result;
    for (const Json& one : catalog_list(catalog, "edges")) {
        if (one.is_object()) result.insert(text_in(one, "source") + " => " + text_in(one, "target"));
    }
    return result;
}

std::vector<std::string> only_in(const std::set<std::string>& these, const std::set<std::string>& not_those) {
    std::vector<std::string> result;
    std::set_difference(these.begin(), these.end(), not_those.begin(), not_those.end(),
                        std::back_inserter(result));
    return result;
}

/// Order of keys does not count.
bool same_json(const Json& a, const Json& b) {
    if (a.is_object() && b.is_object()) {
        if (a.size() != b.size()) return false;
        return std::all_of(a.items().begin(), a.items().end(), [&b](const auto& item) {
            const auto other = b.find(item.key());
            return other != b.end() && same_json(item.value(), *other);
        });
    }
    if (a.is_array() && b.is_array()) return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_json);
    return a == b;
}

/// Null when there is none: it has no members and no items.
const Json& member(const Json& object, const char* key) {
    static const Json none;
    const auto found = object.find(key);
    return found == object.end() ? none : *found;
}

/// The parameters of a resource, without their secrets.
Json shown_parameters(const Json& resource, const std::set<std::string>& secret) {
    Json result = member(resource, "parameters");
    if (!result.is_object()) return Json::object();
    for (const auto& [name, value] : result.items()) {
        if (secret.contains(name))
            value = redacted_text;
        else
            redact_secrets(value);
    }
    return result;
}

std::shared_ptr<const Json> kept(Json value) { return std::make_shared<const Json>(std::move(value)); }

/// Compares values as they are, and keeps what may be shown of them.
void compare_parameters(ResourceChange& change, const Json& before, const Json& after) {
    const Json& old_values = member(before, "parameters");
    const Json& new_values = member(after, "parameters");
    if (same_json(old_values, new_values)) return;
    std::set<std::string> secret = sensitive_parameters(before);
    secret.merge(sensitive_parameters(after));
    const Json old_shown = shown_parameters(before, secret);
    const Json new_shown = shown_parameters(after, secret);
    std::set<std::string> names;
    for (const Json* parameters : {&old_shown, &new_shown}) {
        for (const auto& [name, value] : parameters->items()) names.insert(name);
    }
    for (const std::string& name : names) {
        if (same_json(member(old_values, name.c_str()), member(new_values, name.c_str()))) continue;
        change.parameters.push_back({name, kept(old_shown.value(name, Json())),
                                     kept(new_shown.value(name, Json())), secret.contains(name)});
    }
}

ResourceChange compare_resources(const std::string& reference, const Json& before, const Json& after) {
    ResourceChange change{reference, {}, {}, {}};
    compare_parameters(change, before, after);
    if (before.value("exported", false) != after.value("exported", false))
        change.parameters.push_back(
            {"(exported)", kept(before.value("exported", false)), kept(after.value("exported", false))});
    const std::set<std::string> old_tags = text_set(member(before, "tags"));
    const std::set<std::string> new_tags = text_set(member(after, "tags"));
    change.tags_added = only_in(new_tags, old_tags);
    change.tags_removed = only_in(old_tags, new_tags);
    return change;
}

}  // namespace

bool CatalogDiff::empty() const {
    return added.empty() && removed.empty() && changed.empty() && edges_added.empty() &&
           edges_removed.empty() && classes_added.empty() && classes_removed.empty();
}

CatalogDiff compare_catalogs(const Json& before, const Json& after) {
    CatalogDiff diff;
    const ResourceMap old_resources = resource_map(before);
    const ResourceMap new_resources = resource_map(after);
    for (const auto& [reference, resource] : old_resources) {
        const auto found = new_resources.find(reference);
        if (found == new_resources.end()) {
            diff.removed.push_back(reference);
            continue;
        }
        ResourceChange change = compare_resources(reference, *resource, *found->second);
        if (!change.parameters.empty() || !change.tags_added.empty() || !change.tags_removed.empty())
            diff.changed.push_back(std::move(change));
    }
    for (const auto& [reference, resource] : new_resources) {
        if (!old_resources.contains(reference)) diff.added.push_back(reference);
    }
    const auto old_edges = edge_set(before);
    const auto new_edges = edge_set(after);
    diff.edges_added = only_in(new_edges, old_edges);
    diff.edges_removed = only_in(old_edges, new_edges);
    const auto old_classes = text_set(catalog_list(before, "classes"));
    const auto new_classes = text_set(catalog_list(after, "classes"));
    diff.classes_added = only_in(new_classes, old_classes);
    diff.classes_removed = only_in(old_classes, new_classes);
    return diff;
}

Json diff_to_json(const CatalogDiff& diff) {
    Json changed = Json::object();
    for (const ResourceChange& change : diff.changed) {
        Json parameters = Json::object();
        for (const ParameterChange& one : change.parameters) {
            parameters[one.name] = Json::array({*one.before, *one.after});
        }
        changed[change.reference] = Json{{"parameters", std::move(parameters)},
                                         {"tags_added", change.tags_added},
                                         {"tags_removed", change.tags_removed}};
    }
    return Json{{"added", diff.added},
                {"removed", diff.removed},
                {"changed", std::move(changed)},
                {"edges_added", diff.edges_added},
                {"edges_removed", diff.edges_removed},
                {"classes_added", diff.classes_added},
                {"classes_removed", diff.classes_removed}};
}

}  // namespace volley
