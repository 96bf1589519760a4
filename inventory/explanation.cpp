#include "inventory/explanation.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "inventory/inventory.hpp"
#include "inventory/state.hpp"
#include "inventory/targets/uri.hpp"
#include "inventory/targets/value_origin.hpp"
#include "support/error.hpp"
#include "support/text.hpp"
#include "transports/transport.hpp"

namespace volley::inventory {
namespace {

constexpr const char* redacted = "(not shown)";

using Source = Explanation::Source;

std::string value_text(const Json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

/// "user", "ssh.user", "transport", "vars.role", "facts.os.name" as the keys that lead there in the
/// inventory.
std::vector<std::string> path_of(const std::string& key, const std::string& transport) {
    std::vector<std::string> path = split(key, '.');
    for (std::size_t i = 0; i < section_count; ++i) {
        if (path.front() == key_of(static_cast<Section>(i))) return path;
    }
    const bool of_transport = transports::find_transport(path.front()) != nullptr;
    if (!of_transport && path.front() != "transport") path.insert(path.begin(), transport);
    path.insert(path.begin(), "config");
    return path;
}

/// An option of a transport, apart from what the inventory says of it.
class OptionLevels {
public:
    OptionLevels(const Inventory::State& state, std::vector<std::string> path)
        : state_(state), path_(std::move(path)) {}

    /// Command line and configuration files, below the inventory.
    std::vector<Source> lower() const {
        std::vector<Source> found;
        const auto& typed = state_.config.command_line_options;
        const std::string& key = path_.back();
        const bool on_command_line = typed && typed->contains(key);
        if (path_.size() == 2) {
            if (on_command_line) found.push_back({value_text((*typed)[key]), "command line", ""});
            return found;
        }
        const auto section = state_.config.transport_sections.find(path_[1]);
        if (section == state_.config.transport_sections.end()) return found;
        const Json* value = section->second.get();
        for (std::size_t i = 2; i < path_.size() && value; ++i)
            value = value->is_object() && value->contains(path_[i]) ? &(*value)[path_[i]] : nullptr;
        if (value)
            found.push_back({value_text(*value),
                             on_command_line ? "command line" : "configuration (inventory-config)", ""});
        return found;
    }

private:
    const Inventory::State& state_;
    std::vector<std::string> path_;
};

/// What the URI of a target says itself.
std::optional<Source> uri_source(const Uri& uri, const std::vector<std::string>& path) {
    const std::string& key = path.back();
    if (path.size() == 2 && uri.scheme) return Source{*uri.scheme, "URI " + uri.safe_text, ""};
    if (path.size() != 3) return std::nullopt;
    if (key == "user" && uri.user) return Source{*uri.user, "URI " + uri.safe_text, ""};
    if (key == "password" && uri.password) return Source{redacted, "URI " + uri.safe_text, ""};
    if (key == "port" && uri.port) return Source{std::to_string(*uri.port), "URI " + uri.safe_text, ""};
    if (key == "host" && !uri.host.empty()) return Source{uri.host, "URI " + uri.safe_text, ""};
    return std::nullopt;
}

GroupOutline outline_of(const GroupTree& tree, const Group& group,
                        const std::unordered_set<TargetId>& chosen) {
    GroupOutline outline{group.name, {}, {}};
    for (const TargetId id : group.members) {
        if (chosen.contains(id)) outline.targets.push_back(without_password(tree.record(id).name));
    }
    for (const auto& child : group.groups) {
        GroupOutline below = outline_of(tree, *child, chosen);
        if (below.size() > 0) outline.groups.push_back(std::move(below));
    }
    return outline;
}

}  // namespace

Explanation Inventory::explain(const Target& target, const std::string& key) const {
    if (trim(key).empty() || key.front() == '.' || key.back() == '.')
        throw Error("bolt/cli-error", "'" + key + "' is not a key such as user, ssh.port or vars.role");
    const TargetId id = target.id_;
    const std::vector<std::string> path = path_of(key, target.transport());
    const bool is_option = path.front() == "config";
    Explanation explanation;
    if (is_option) {
        if (auto source = uri_source(state_->data.identity(id).uri, path))
            explanation.sources.push_back(*std::move(source));
    }
    const auto* spec = path.size() > 2 && is_option ? transports::find_transport(path[1]) : nullptr;
    const bool secret = spec && is_secret_option(*spec, path[2]);
    for (const ValueOrigin& origin : value_origins(state_->tree, id, path)) {
        explanation.sources.push_back({secret ? redacted : value_text(origin.node.to_json()),
                                       origin.own ? "target" : "group '" + origin.group->name + "'",
                                       origin.node.where()});
    }
    if (!is_option) return explanation;
    for (Source& source : OptionLevels(*state_, path).lower()) {
        if (secret) source.value = redacted;
        explanation.sources.push_back(std::move(source));
    }
    if (!explanation.sources.empty()) return explanation;
    if (path.size() == 2) {
        explanation.sources.push_back({target.transport(), "default", ""});
    } else if (path[1] == target.transport()) {
        const auto options = target.options();
        if (options->contains(path[2]))
            explanation.sources.push_back({value_text((*options)[path[2]]), "default", ""});
    }
    return explanation;
}

GroupOutline Inventory::outline(const std::vector<Target>& targets) const {
    std::unordered_set<TargetId> chosen;
    for (const Target& target : targets) chosen.insert(target.id_);
    GroupOutline outline = outline_of(state_->tree, state_->tree.all(), chosen);
    for (const Target& target : targets) {
        if (state_->tree.record(target.id_).definitions.empty())
            outline.targets.push_back(without_password(target.name()));
    }
    return outline;
}

}  // namespace volley::inventory
