#include "apply/agent/inspection/inspection.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "apply/agent/types/instance.hpp"
#include "apply/agent/values/errors.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

/// Nothing that one could see, as Puppet decides it.
bool is_blank_value(const std::string& name, const Value& value) {
    if (value.is_undef() || value == Value::symbol("notlink")) return true;
    if (value.is(Value::Kind::Array)) {
        const auto& items = value.items();
        return items.empty() || (items.size() == 1 && items[0] == absent());
    }
    if (value.is(Value::Kind::Hash)) return value.pairs().empty();
    const std::string text = value.to_text();
    return text.empty() || (text == "absent" && name != "ensure");
}

/// An account without a password, or a locked one, has nothing to hide.
bool is_secret_text(const std::string& text) { return text.find_first_not_of("*!x") != std::string::npos; }

bool is_absent(const Json& resource) {
    return resource["parameters"].value("ensure", Json()) == Json("absent");
}

Json parameters_of(const TypeSpec& type, const Instance& instance, const Current& current) {
    std::map<std::string, Json> sorted;
    for (const auto& [name, value] : current.all()) {
        const Attribute* attribute = type.attribute(name);
        if (attribute == nullptr || attribute->kind != Attribute::Kind::Property) continue;
        if (is_blank_value(name, value)) continue;
        sorted[name] =
            attribute->secret && is_secret_text(value.to_text()) ? Json(hidden_value) : value_to_json(value);
    }
    if (!instance.provider().empty()) sorted["provider"] = std::string(instance.provider());
    Json parameters = Json::object();
    if (const auto ensure = sorted.find("ensure"); ensure != sorted.end()) {
        parameters["ensure"] = ensure->second;
        sorted.erase(ensure);
    }
    for (auto& [name, value] : sorted) parameters[name] = std::move(value);
    return parameters;
}

/// A resource of the run's catalog, with all its properties.
Json inspected(const TypeSpec& type, Resource& resource, Run& run) {
    for (const Attribute& attribute : type.attributes) {
        if (attribute.kind == Attribute::Kind::Property)
            resource.audit.push_back(std::string(attribute.name));
    }
    make_instance(resource, run);
    Instance& instance = *resource.instance;
    if (!instance.suitable())
        throw ApplyError("The tools of the provider " + std::string(instance.provider()) +
                         " are not on this machine");
    const Current current = instance.retrieve();
    return {{"type", resource.type},
            {"title", resource.title},
            {"parameters", parameters_of(type, instance, current)}};
}

/// All of the type, each title once.
std::vector<std::unique_ptr<Resource>> instances_of(const TypeSpec& type, Run& run) {
    auto found = type.instances(run);
    std::set<std::string> titles;
    std::erase_if(found, [&](const auto& one) { return !titles.insert(one->title).second; });
    return found;
}

Json inspect_all(const TypeSpec& type, Run& run) {
    if (type.name == "file")
        throw ApplyError("Listing all files is not supported: name a file or a folder, such as file /etc");
    if (type.instances == nullptr)
        throw ApplyError("The resources of the type " + std::string(type.name) +
                         " cannot be listed: name one, as in " + std::string(type.name) + " NAME");
    // Providers ask for all resources of the catalog at once.
    std::vector<Resource*> resources;
    for (auto& found : instances_of(type, run)) resources.push_back(&run.catalog.add(std::move(found)));
    std::vector<Json> shown;
    for (Resource* resource : resources) {
        try {
            shown.push_back(inspected(type, *resource, run));
        } catch (const std::runtime_error& error) {
            run.log(Level::Warning, resource->reference() + " cannot be read: " + error.what());
        }
    }
    std::stable_sort(shown.begin(), shown.end(), [](const Json& one, const Json& other) {
        return one["title"].get_ref<const std::string&>() < other["title"].get_ref<const std::string&>();
    });
    Json list = Json::array();
    for (Json& one : shown) list.push_back(std::move(one));
    return list;
}

/// One of those that the machine has, by its title; null when there is none. It may need more than a title
/// says, such as the user whose crontab it is in.
Json inspect_found(const TypeSpec& type, const std::string& title, Run& run) {
    if (type.instances == nullptr) return nullptr;
    for (auto& found : instances_of(type, run)) {
        const bool keyed = type.name == "sshkey" && found->title.starts_with(title + "@");
        if (found->title == title || keyed) return inspected(type, run.catalog.add(std::move(found)), run);
    }
    return nullptr;
}

Json inspect_one(const TypeSpec& type, const Inspection& wanted, Run& run) {
    auto asked = found_resource(type.name, wanted.title);
    for (const auto& [name, value] : wanted.attributes) asked->set(name, value);
    Json direct;
    std::string why;
    try {
        // Not in the catalog: one that is found may have the same title.
        direct = inspected(type, *asked, run);
        if (!is_absent(direct) && direct["parameters"].value("ensure", Json()) != Json("purged"))
            return direct;
    } catch (const std::runtime_error& error) {
        why = error.what();
    }
    try {
        Json found = inspect_found(type, wanted.title, run);
        if (!found.is_null()) return found;
    } catch (const std::runtime_error& error) {
        if (direct.is_null() && why.empty()) why = error.what();
    }
    if (direct.is_null()) throw ApplyError(why);
    return direct;
}

}  // namespace

Json inspect_resources(Run& run, const Inspection& wanted) {
    const TypeSpec* type = find_type(wanted.type);
    if (type == nullptr) throw ApplyError("The agent has no resource type '" + wanted.type + "'");
    if (wanted.title.empty()) return inspect_all(*type, run);
    return Json::array({inspect_one(*type, wanted, run)});
}

}  // namespace volley::agent
