#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "inventory/plugins.hpp"
#include "support/json/json.hpp"
#include "support/yaml/document.hpp"

namespace volley::inventory {

using TargetId = std::uint32_t;

/// The five kinds of data that groups and targets carry.
enum class Section : std::uint8_t { Config, Vars, Facts, Features, PluginHooks };
constexpr std::size_t section_count = 5;
std::string_view key_of(Section section) noexcept;
/// Where the first character is that separates names where targets are listed (INV-020); npos: nowhere.
std::size_t separator_in(std::string_view name) noexcept;

struct Group {
    std::string name;
    Group* parent = nullptr;
    yaml::Node data;         ///< its map in the document
    std::uint32_t rank = 0;  ///< order of precedence, lowest first: a parent before its children, a later
                             ///< sibling before an earlier one (INV-031, INV-032)
    std::vector<TargetId> members;  ///< direct ones, in order
    std::vector<std::unique_ptr<Group>> groups;
};

/// What one group says of a target. `entry` is its map; absent when the group only mentions the name.
struct Definition {
    Group* group;
    yaml::Node entry;
};

struct TargetRecord {
    std::string name;
    std::vector<Definition> definitions;  ///< by rank of the group; none: an ad-hoc target
    bool from_source = false;
};

/// The structure of an inventory: groups, the targets in them, names and aliases; checked for conflicts. The
/// data of targets stays in the documents until somebody asks for it.
class GroupTree {
public:
    /// Reads the whole document. Throws Error bolt.inventory/validation-error and what plugins throw.
    GroupTree(std::unique_ptr<const yaml::Document> document, Plugins& plugins);
    GroupTree(const GroupTree&) = delete;
    GroupTree& operator=(const GroupTree&) = delete;

    const Group& all() const noexcept { return *root_; }
    const Group* find_group(std::string_view name) const noexcept;
    std::optional<TargetId> find_target(std::string_view name) const noexcept;
    std::optional<TargetId> find_alias(std::string_view alias) const noexcept;
    const TargetRecord& record(TargetId id) const noexcept { return records_[id]; }
    std::size_t target_count() const noexcept { return records_.size(); }

    const std::vector<const Group*>& groups() const noexcept { return group_list_; }  ///< parents first
    const std::unordered_map<std::string_view, TargetId>& aliases() const noexcept { return aliases_; }
    /// Direct members, then those of child groups, each once. Ad-hoc targets come last in "all".
    const std::vector<TargetId>& members_of(const Group& group) const;
    /// The groups that the target is in, with their parents, by rank (lowest precedence first).
    std::vector<const Group*> groups_of(TargetId id) const;

    /// A new target named `name`, in "all" (INV-066).
    TargetId add_target(std::string name);
    /// Puts a target into a group, which must exist (INV-072).
    void add_to_group(TargetId id, std::string_view group);
    /// Takes a target out of a group, which must exist, and of all groups below it.
    void remove_from_group(TargetId id, std::string_view group);
    /// Makes `aliases` the only ones of a target. They must be free.
    void set_aliases(TargetId id, std::vector<std::string> aliases);

private:
    friend class TreeLoader;
    TargetId intern(std::string_view name);
    bool is_in(TargetId id, const Group& group) const noexcept;
    void refresh_members(TargetId id);

    std::vector<std::unique_ptr<const yaml::Document>> documents_;
    std::unique_ptr<Group> root_;
    std::deque<TargetRecord> records_;
    std::unordered_map<std::string_view, TargetId> targets_;
    std::unordered_map<std::string_view, TargetId> aliases_;
    std::unordered_map<std::string_view, Group*> group_names_;
    std::vector<const Group*> group_list_;
    std::deque<std::string> new_aliases_;  // what keys of aliases_ that came later refer to
    mutable std::unordered_map<const Group*, std::vector<TargetId>> members_;
};

}  // namespace volley::inventory
