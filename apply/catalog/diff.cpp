#include "apply/catalog/diff.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "support/error.hpp"

namespace volley {
namespace {

constexpr std::string_view redacted = "[redacted]";

using ResourceMap = std::map<std::string, const Json*>;

const Json& catalog_list(const Json& catalog, const char* key) {
    static const Json none = Json::array();
    if (!catalog.is_object() || !catalog.contains("resources")) {
        throw Error("volley/no-catalog", "This is no catalog: it has no list of resources");
    }
    const auto found = catalog.find(key);
    return found != catalog.end() && found->is_array() ? *found : none;
}

std::string text_of(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

ResourceMap resource_map(const Json& catalog) {
    ResourceMap result;
    for (const Json& one : catalog_list(catalog, "resources")) {
        if (one.is_object()) result[text_of(one, "type") + "[" + text_of(one, "title") + "]"] = &one;
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
        if (one.is_object()) result.insert(text_of(one, "source") + " => " + text_of(one, "target"));
    }
    return result;
}

std::vector<std::string> only_in(const std::set<std::string>& these, const std::set<std::string>& not_those) {
    std::vector<std::string> result;
    std::set_difference(these.begin(), these.end(), not_those.begin(), not_those.end(), std::back_inserter(result));
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

Json member(const Json& object, const char* key, Json otherwise) {
    const auto found = object.find(key);
    return found == object.end() ? std::move(otherwise) : *found;
}

ResourceChange compare_resources(const std::string& reference, const Json& before, const Json& after) {
    ResourceChange change{reference, {}, {}, {}};
    const Json old_parameters = member(before, "parameters", Json::object());
    const Json new_parameters = member(after, "parameters", Json::object());
    std::set<std::string> secret = text_set(member(before, "sensitive_parameters", Json::array()));
    for (const std::string& name : text_set(member(after, "sensitive_parameters", Json::array()))) secret.insert(name);
    std::set<std::string> names;
    for (const Json* parameters : {&old_parameters, &new_parameters}) {
        for (const auto& [name, value] : parameters->items()) names.insert(name);
    }
    for (const std::string& name : names) {
        Json old_value = old_parameters.value(name, Json());
        Json new_value = new_parameters.value(name, Json());
        if (same_json(old_value, new_value)) continue;
        change.parameters.push_back({name, std::move(old_value), std::move(new_value), secret.contains(name)});
    }
    if (before.value("exported", false) != after.value("exported", false))
        change.parameters.push_back({"(exported)", before.value("exported", false), after.value("exported", false)});
    const std::set<std::string> old_tags = text_set(member(before, "tags", Json::array()));
    const std::set<std::string> new_tags = text_set(member(after, "tags", Json::array()));
    change.tags_added = only_in(new_tags, old_tags);
    change.tags_removed = only_in(old_tags, new_tags);
    return change;
}

std::string value_line(const ParameterChange& change, const Json& value) {
    if (value.is_null()) return "(none)";
    return change.sensitive ? std::string(redacted) : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool has_lines(const Json& value) { return value.is_string() && value.get<std::string>().find('\n') != std::string::npos; }

void add_parameter_text(std::string& text, const ParameterChange& change) {
    const bool lines = !change.sensitive && change.before.is_string() && change.after.is_string() &&
                       (has_lines(change.before) || has_lines(change.after));
    if (!lines) {
        text += "    " + change.name + ": " + value_line(change, change.before) + " -> " +
                value_line(change, change.after) + "\n";
        return;
    }
    text += "    " + change.name + ":\n";
    for (const std::string& line : line_diff(change.before.get<std::string>(), change.after.get<std::string>()))
        text += "      " + line + "\n";
}

void add_list(std::string& text, std::string_view sign, std::string_view what, const std::vector<std::string>& list) {
    for (const std::string& one : list) text += std::string(sign) + " " + std::string(what) + one + "\n";
}

}  // namespace

bool CatalogDiff::empty() const {
    return added.empty() && removed.empty() && changed.empty() && edges_added.empty() && edges_removed.empty() &&
           classes_added.empty() && classes_removed.empty();
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
            parameters[one.name] = one.sensitive ? Json::array({redacted, redacted}) : Json::array({one.before, one.after});
        }
        changed[change.reference] = Json{
            {"parameters", parameters}, {"tags_added", change.tags_added}, {"tags_removed", change.tags_removed}};
    }
    return Json{{"added", diff.added},
                {"removed", diff.removed},
                {"changed", changed},
                {"edges_added", diff.edges_added},
                {"edges_removed", diff.edges_removed},
                {"classes_added", diff.classes_added},
                {"classes_removed", diff.classes_removed}};
}

std::string diff_to_text(const CatalogDiff& diff) {
    std::string text;
    add_list(text, "+", "", diff.added);
    add_list(text, "-", "", diff.removed);
    for (const ResourceChange& change : diff.changed) {
        text += "~ " + change.reference + "\n";
        for (const ParameterChange& one : change.parameters) add_parameter_text(text, one);
        for (const std::string& tag : change.tags_added) text += "    tag: + " + tag + "\n";
        for (const std::string& tag : change.tags_removed) text += "    tag: - " + tag + "\n";
    }
    add_list(text, "+", "contains: ", diff.edges_added);
    add_list(text, "-", "contains: ", diff.edges_removed);
    add_list(text, "+", "class: ", diff.classes_added);
    add_list(text, "-", "class: ", diff.classes_removed);
    return text;
}

}  // namespace volley
