#pragma once

#include <string>
#include <vector>

#include "inventory/groups/group_tree.hpp"

namespace volley::transports {
struct TransportSpec;
}

namespace volley::inventory {

/// A place in the inventory that says something about a target's data.
struct ValueOrigin {
    const Group* group;
    bool own = false;  ///< at the target itself, else at the group
    yaml::Node node;   ///< the value, or the plugin reference that it is part of
};

/// All places that say something about the value at a path of keys ("config", "ssh", "user"), what counts
/// first: the target's own words before its groups', inner and earlier groups before others.
std::vector<ValueOrigin> value_origins(const GroupTree& tree, TargetId id,
                                       const std::vector<std::string>& path);

/// Whether a value of that option must not be shown.
bool is_secret_option(const transports::TransportSpec& spec, const std::string& key);

}  // namespace volley::inventory
