#include "inventory/groups/group_tree.hpp"

#include <algorithm>

#include "inventory/groups/tree_loader.hpp"

namespace volley::inventory {

std::size_t separator_in(std::string_view name) noexcept { return name.find_first_of(" \t\r\n\v\f,"); }

std::string_view key_of(Section section) noexcept {
    constexpr std::string_view keys[section_count] = {"config", "vars", "facts", "features", "plugin_hooks"};
    return keys[static_cast<std::size_t>(section)];
}

GroupTree::GroupTree(std::unique_ptr<const yaml::Document> document, Plugins& plugins) {
    documents_.push_back(std::move(document));
    TreeLoader(*this, plugins).load();
}

const Group* GroupTree::find_group(std::string_view name) const noexcept {
    const auto found = group_names_.find(name);
    return found == group_names_.end() ? nullptr : found->second;
}

std::optional<TargetId> GroupTree::find_target(std::string_view name) const noexcept {
    const auto found = targets_.find(name);
    return found == targets_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<TargetId> GroupTree::find_alias(std::string_view alias) const noexcept {
    const auto found = aliases_.find(alias);
    return found == aliases_.end() ? std::nullopt : std::optional(found->second);
}

const std::vector<TargetId>& GroupTree::members_of(const Group& group) const {
    const auto [slot, is_new] = members_.try_emplace(&group);
    if (!is_new) return slot->second;
    std::vector<TargetId> members;
    std::vector<bool> seen(records_.size(), false);
    const auto add = [&](const Group& each, const auto& self) -> void {
        for (const TargetId id : each.members) {
            if (!seen[id]) members.push_back(id);
            seen[id] = true;
        }
        for (const auto& child : each.groups) self(*child, self);
    };
    add(group, add);
    return slot->second = std::move(members);
}

std::vector<const Group*> GroupTree::groups_of(TargetId id) const {
    std::vector<const Group*> groups;
    for (const Definition& definition : records_[id].definitions) {
        for (const Group* group = definition.group; group != nullptr; group = group->parent) {
            if (std::ranges::find(groups, group) == groups.end()) groups.push_back(group);
        }
    }
    if (groups.empty()) groups.push_back(root_.get());
    std::ranges::sort(groups, {}, &Group::rank);
    return groups;
}

TargetId GroupTree::add_target(std::string name) {
    members_of(*root_);  // fixed before the newcomer, so that newcomers come last
    const TargetId id = intern(name);
    members_.at(root_.get()).push_back(id);
    return id;
}

bool GroupTree::is_in(TargetId id, const Group& group) const noexcept {
    if (&group == root_.get()) return true;
    for (const Definition& definition : records_[id].definitions) {
        for (const Group* up = definition.group; up != nullptr; up = up->parent) {
            if (up == &group) return true;
        }
    }
    return false;
}

/// Brings the lists that were made before up to date.
void GroupTree::refresh_members(TargetId id) {
    for (auto& [group, list] : members_) {
        const auto at = std::ranges::find(list, id);
        const bool belongs = is_in(id, *group);
        if (belongs && at == list.end()) list.push_back(id);
        if (!belongs && at != list.end()) list.erase(at);
    }
}

void GroupTree::add_to_group(TargetId id, std::string_view group) {
    Group& chosen = *group_names_.at(group);
    if (&chosen == root_.get() || std::ranges::find(chosen.members, id) != chosen.members.end()) return;
    members_of(*root_);
    chosen.members.push_back(id);
    auto& definitions = records_[id].definitions;
    const auto place = std::ranges::upper_bound(definitions, chosen.rank, {},
                                                [](const Definition& each) { return each.group->rank; });
    definitions.insert(place, Definition{&chosen, {}});
    refresh_members(id);
}

void GroupTree::remove_from_group(TargetId id, std::string_view group) {
    const Group& chosen = *group_names_.at(group);
    members_of(*root_);
    const auto below = [&chosen](const Definition& definition) {
        const Group* up = definition.group;
        while (up != nullptr && up != &chosen) up = up->parent;
        return up != nullptr;
    };
    auto& definitions = records_[id].definitions;
    for (const Definition& definition : definitions) {
        if (below(definition)) std::erase(definition.group->members, id);
    }
    std::erase_if(definitions, below);
    refresh_members(id);
}

void GroupTree::set_aliases(TargetId id, std::vector<std::string> aliases) {
    std::erase_if(aliases_, [id](const auto& alias) { return alias.second == id; });
    for (std::string& alias : aliases) aliases_.emplace(new_aliases_.emplace_back(std::move(alias)), id);
}

TargetId GroupTree::intern(std::string_view name) {
    if (const auto known = find_target(name)) return *known;
    const auto id = static_cast<TargetId>(records_.size());
    TargetRecord& record = records_.emplace_back();
    record.name = std::string(name);
    targets_.emplace(record.name, id);
    return id;
}

}  // namespace volley::inventory
