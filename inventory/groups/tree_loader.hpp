#pragma once

#include <functional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "inventory/groups/group_tree.hpp"
#include "inventory/references.hpp"

namespace volley::inventory {

/// Fills a GroupTree from its document. Strings among the targets are kept until every group is known,
/// because they may name a target or an alias of another group (INV-007).
class TreeLoader {
public:
    TreeLoader(GroupTree& tree, Plugins& plugins) : tree_(tree), plugins_(plugins) {}
    void load();

private:
    using Visitor = std::function<void(yaml::Node)>;

    std::unique_ptr<Group> load_group(yaml::Node node, Group* parent);
    std::string group_name(yaml::Node node, const Group* parent);
    void check_group_keys(yaml::Node node, const Group& group);
    void check_data_keys(yaml::Node node, const Group& group, std::string_view target);
    void load_targets(Group& group);
    void define_target(Group& group, yaml::Node entry, std::uint32_t place);
    void check_target_keys(yaml::Node entry, const Group& group, std::string_view name);
    void add_aliases(Group& group, TargetId id, yaml::Node alias);
    void place_strings(Group& group);
    bool add_member(Group& group, TargetId id, yaml::Node entry, std::uint32_t place);
    void rank(Group& group, std::uint32_t& next);
    void list(Group& group);
    void check_conflicts(const Group& group);

    /// Calls `visit` for each element; references at this level are resolved, lists flattened (INV-011).
    void each_resolved(yaml::Node node, const Visitor& visit, int depth = 0);
    yaml::Node keep(const Json& data, std::string name, bool foreign = false);
    /// The answer to a reference as a document of its own.
    yaml::Node keep_answer(yaml::Node reference);
    /// Asks for the references that stand in groups and target lists at the same time, before they are wanted
    /// one by one. `node`: a group, or a list of groups or targets.
    void prepare(yaml::Node node);
    /// The answer to a reference, which may be a reference again; errors say where it stands.
    Json answer(yaml::Node reference);
    /// The same for a value of any kind, until no reference is left in it.
    Json answer_all(yaml::Node value);
    yaml::Node without_references(yaml::Node entry);
    [[noreturn]] void fail(std::string_view message, yaml::Node at, const Group* group) const;
    [[noreturn]] void conflict(const std::string& message, const Group& group, yaml::Node at) const;

    struct Alias {
        std::string_view name;
        TargetId target;
        yaml::Node at;
    };

    GroupTree& tree_;
    Plugins& plugins_;
    PreparedReferences prepared_;
    /// Entries of `targets` that are texts, and which entry of the group each is: members come in that order.
    std::unordered_map<const Group*, std::vector<std::pair<yaml::Node, std::uint32_t>>> strings_;
    std::unordered_map<const Group*, std::unordered_map<TargetId, std::uint32_t>> membership_;
    std::unordered_map<const Group*, std::uint32_t> places_;
    std::unordered_map<const Group*, std::vector<Alias>> group_aliases_;
    std::unordered_set<std::string_view> used_groups_;
    std::unordered_set<std::string_view> used_targets_;
    std::unordered_map<std::string_view, TargetId> used_aliases_;
};

}  // namespace volley::inventory
