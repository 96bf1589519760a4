#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "inventory/config/config.hpp"
#include "inventory/groups/group_tree.hpp"
#include "inventory/references.hpp"
#include "inventory/targets/uri.hpp"
#include "support/json/json.hpp"
#include "transports/target_config.hpp"

namespace volley::inventory {

/// The data of targets, merged and with references resolved when it is first asked for, then kept. What many
/// targets share (the data of their groups) is kept once.
class TargetData {
public:
    TargetData(const GroupTree& tree, const Config& config, std::shared_ptr<Plugins> plugins);

    /// Name, URI and aliases of a target.
    struct Identity {
        std::optional<std::string> uri_text;
        Uri uri;
        std::string safe_name;
        std::shared_ptr<const Json> alias;  ///< as written, or a list when several groups name some (JSN-015)
    };
    const Identity& identity(TargetId id);

    /// Group level and target level merged (INV-030 to INV-036). Features come as a list.
    Json merged(TargetId id, Section section);
    /// Those of the groups first, in the order of their list, then its own (INV-035).
    std::vector<std::string> features(TargetId id);
    void set_feature(TargetId id, const std::string& feature, bool present);

    /// Plan-time changes (INV-073, INV-074). They win over what the inventory says.
    /// Sets the value at a path of keys in the target's own configuration; an empty path replaces all of it.
    void set_config(TargetId id, const std::vector<std::string>& path, Json value);
    void set_var(TargetId id, const std::string& name, Json value);
    void add_facts(TargetId id, const Json& facts);
    /// Everything a target says itself, new (INV-070): keys name, uri, target_alias and those of the
    /// sections.
    void replace(TargetId id, const Json& data);
    /// Remembers what the inventory says of the target before its groups change.
    void freeze(TargetId id);
    /// Forgets what follows from configuration.
    void forget(TargetId id);

    /// Asks for the references in the configuration of these targets and their groups at the same time,
    /// before the targets need it one by one.
    void prepare(const std::vector<TargetId>& ids);
    std::string transport(TargetId id);
    /// Defaults, configuration, groups and target merged for its transport, checked, paths absolute.
    std::shared_ptr<const Json> options(TargetId id);
    /// With plugin_hooks of the configuration below (INV-040).
    Json plugin_hooks(TargetId id);
    /// The same without the default: what somebody wrote down.
    Json own_plugin_hooks(TargetId id);

private:
    using Data = std::shared_ptr<const Json>;  // null: nothing said
    using Sections = std::array<std::optional<Data>, section_count>;

    struct Live {
        Identity identity;
        Sections own;
        std::optional<std::vector<std::string>> features;  // set_feature() was called: all of its own
        Data options;
        std::string transport;
    };
    /// The data of a set of groups, shared by all targets that are in exactly these.
    struct GroupSet {
        std::vector<const Group*> groups;
        Sections data;
        std::map<std::string, Data> options;  // by transport, for targets that say nothing themselves
    };

    Live& live(TargetId id);
    GroupSet& group_set(TargetId id);
    const Data& of_groups(GroupSet& set, Section section);
    const Data& own(TargetId id, Section section);
    /// Names of facts with dots are deprecated (INV-026).
    static void warn_of_dots(const Json& facts, const std::string& target);
    std::shared_ptr<Json> own_copy(TargetId id, Section section);
    void set_own(TargetId id, Section section, std::shared_ptr<const Json> data);
    const Data& of_group(const Group& group, Section section);
    Data resolve_section(yaml::Node holder, Section section, const Group& group, const std::string& target);
    Data config_section(const std::string& transport);
    Data build_options(TargetId id, const std::string& transport);
    void merge_into(Json& base, const Json& over, Section section) const;

    const GroupTree& tree_;
    const Config& config_;
    std::shared_ptr<Plugins> plugins_;
    std::unordered_map<TargetId, std::unique_ptr<Live>> live_;
    std::map<std::vector<const Group*>, GroupSet> group_sets_;
    std::unordered_map<const Group*, Sections> groups_;
    std::map<std::string, Data> config_sections_;
    PreparedReferences prepared_;
};

}  // namespace volley::inventory
