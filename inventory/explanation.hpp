#pragma once

#include <string>
#include <vector>

namespace volley::inventory {

/// Why a target has an option: everything that says something about it, what counts first.
struct Explanation {
    struct Source {
        std::string value;  ///< as JSON, unless it is a text; secrets are redacted
        std::string level;  ///< "target", "group 'web'", "command line"
        std::string where;  ///< "inventory.yaml:5:13"; empty where it has no place in a file
        bool operator==(const Source&) const = default;
    };
    std::vector<Source> sources;  ///< empty: nothing says anything
    bool operator==(const Explanation&) const = default;
};

/// Groups with the targets and groups in them, as the inventory has them.
struct GroupOutline {
    std::string name;
    std::vector<std::string> targets;
    std::vector<GroupOutline> groups;
    /// Targets in it and below, each mention counted.
    std::size_t size() const {
        std::size_t count = targets.size();
        for (const GroupOutline& group : groups) count += group.size();
        return count;
    }
};

}  // namespace volley::inventory
