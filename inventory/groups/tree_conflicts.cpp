// Names that mean two things (INV-022), and URIs that mean nothing (INV-024).
#include <fmt/format.h>

#include <algorithm>

#include "inventory/groups/tree_loader.hpp"
#include "inventory/groups/validation_error.hpp"
#include "inventory/targets/uri.hpp"
#include "support/error.hpp"

namespace volley::inventory {
namespace {

std::string uri_fault(std::string_view uri) {
    try {
        parse_uri(uri);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

std::string alias_conflict(std::string_view name, const std::string& one, const std::string& other) {
    return fmt::format("Alias {} refers to multiple targets: {} and {}", name, one, other);
}

}  // namespace

void TreeLoader::conflict(const std::string& message, const Group& group, yaml::Node at) const {
    std::vector<std::string> path;
    for (const Group* each = &group; each != nullptr; each = each->parent) path.push_back(each->name);
    throw_validation_error(message, at, path);
}

void TreeLoader::check_conflicts(const Group& group) {
    const std::string& name = group.name;
    if (used_groups_.contains(name)) conflict("Tried to redefine group " + name, group, group.data);
    if (used_targets_.contains(name))
        conflict("Group " + name + " conflicts with target of the same name", group, group.data);
    if (used_aliases_.contains(name))
        conflict("Group " + name + " conflicts with alias of the same name", group, group.data);
    used_groups_.insert(name);
    for (const TargetId id : group.members) {
        const TargetRecord& record = tree_.records_[id];
        yaml::Node entry;
        for (const Definition& definition : record.definitions) {
            if (definition.group == &group) entry = definition.entry;
        }
        const yaml::Node uri = entry.is_map() ? entry.find("uri") : entry;
        if (uri && !uri.is_null()) {
            if (const std::string fault = uri_fault(uri.text()); !fault.empty()) {
                conflict(fmt::format("Invalid target uri: {}", fault), group, uri);
            }
        }
        if (used_groups_.contains(record.name)) {
            conflict("Group " + record.name + " conflicts with target of the same name", group, entry);
        }
        if (used_aliases_.contains(record.name)) {
            conflict("Target name " + record.name + " conflicts with alias of the same name", group, entry);
        }
        used_targets_.insert(record.name);
    }
    for (const Alias& alias : group_aliases_[&group]) {
        const std::string text(alias.name);
        if (used_groups_.contains(alias.name))
            conflict("Group " + text + " conflicts with alias of the same name", group, alias.at);
        if (used_targets_.contains(alias.name)) {
            conflict("Target name " + text + " conflicts with alias of the same name", group, alias.at);
        }
        const auto [used, is_new] = used_aliases_.emplace(alias.name, alias.target);
        if (!is_new && used->second != alias.target) {
            std::string one = tree_.records_[alias.target].name;
            std::string other = tree_.records_[used->second].name;
            // Compatibility: targets of one group in their order, the one of an earlier group last.
            const bool together = std::ranges::any_of(
                group_aliases_[&group], [&alias, first = used->second](const Alias& each) {
                    return each.name == alias.name && each.target == first;
                });
            if (together) one.swap(other);
            conflict(alias_conflict(alias.name, one, other), group, alias.at);
        }
    }
    for (const auto& child : group.groups) check_conflicts(*child);
}

}  // namespace volley::inventory
