#include "inventory/targets/value_origin.hpp"

#include <algorithm>

#include "transports/transport.hpp"

namespace volley::inventory {
namespace {

/// The value at `path` below `holder`, or the last thing on the way there that exists: a plugin may stand for
/// it.
yaml::Node deepest(yaml::Node holder, const std::vector<std::string>& path) {
    yaml::Node found;
    for (const std::string& key : path) {
        holder = holder.find(key);
        if (!holder) return found && found.find("_plugin") ? found : yaml::Node();
        found = holder;
    }
    return found;
}

}  // namespace

std::vector<ValueOrigin> value_origins(const GroupTree& tree, TargetId id,
                                       const std::vector<std::string>& path) {
    std::vector<ValueOrigin> found;
    const auto& definitions = tree.record(id).definitions;
    for (auto at = definitions.rbegin(); at != definitions.rend(); ++at) {
        if (const yaml::Node node = deepest(at->entry, path)) found.push_back({at->group, true, node});
    }
    const std::vector<const Group*> groups = tree.groups_of(id);
    for (auto at = groups.rbegin(); at != groups.rend(); ++at) {
        if (const yaml::Node node = deepest((*at)->data, path)) found.push_back({*at, false, node});
    }
    return found;
}

bool is_secret_option(const transports::TransportSpec& spec, const std::string& key) {
    const auto found = std::ranges::find(spec.options, key, &transports::OptionSpec::name);
    return found != spec.options.end() && found->is_secret;
}

}  // namespace volley::inventory
