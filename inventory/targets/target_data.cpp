#include "inventory/targets/target_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "inventory/config/merge.hpp"
#include "inventory/config/transport_options.hpp"
#include "inventory/groups/validation_error.hpp"
#include "inventory/references.hpp"
#include "support/error.hpp"
#include "support/log.hpp"
#include "support/text.hpp"
#include "transports/transport.hpp"

namespace volley::inventory {
namespace {

bool is_list(Section section) { return section == Section::Features; }

/// INV-013: in transport sections a null drops its key and a map left empty becomes null in turn.
Json without_nulls(const Json& value) {
    if (!value.is_object()) return value;
    Json out = Json::object();
    for (const auto& [key, part] : value.items()) {
        Json cleaned = without_nulls(part);
        if (!cleaned.is_null()) out[key] = std::move(cleaned);
    }
    return out.empty() ? Json() : out;
}

void clean_transport_sections(Json& config) {
    for (auto& [key, section] : config.items()) {
        if (!section.is_object()) continue;
        Json cleaned = without_nulls(section);
        section = cleaned.is_null() ? Json::object() : std::move(cleaned);
    }
}

void flatten(const Json& list, Json& out) {
    for (const Json& element : list) {
        if (element.is_array()) {
            flatten(element, out);
        } else if (std::find(out.begin(), out.end(), element) == out.end()) {
            out.push_back(element);
        }
    }
}

void add_feature(std::vector<std::string>& features, const std::string& feature) {
    if (std::ranges::find(features, feature) == features.end()) features.push_back(feature);
}

std::vector<std::string> feature_names(const Json* list) {
    std::vector<std::string> names;
    if (list == nullptr) return names;
    for (const Json& each : *list)
        add_feature(names, each.is_string() ? each.get<std::string>() : each.dump());
    return names;
}

/// "inventory.yaml:7:12, key config.ssh.password".
std::string reference_place(yaml::Node at, Section section, const ReferencePath& path) {
    std::string key(key_of(section));
    for (const std::string& part : path) {
        key += "." + part;
        if (at.is_map()) {
            at = at.find(part);
        } else if (at.is_sequence()) {
            std::size_t left = std::stoul(part);
            for (const yaml::Node element : at.elements()) {
                if (left-- > 0) continue;
                at = element;
                break;
            }
        }
    }
    return at.where() + ", key " + key;
}

}  // namespace

void TargetData::warn_of_dots(const Json& facts, const std::string& target) {
    for (const auto& [name, value] : facts.items()) {
        if (name.find('.') == std::string::npos) continue;
        log_warning_once(
            "dotted_fact_name", "inventory",
            fmt::format("Target '{}' includes the dotted fact name '{}'. Dotted names are deprecated: "
                        "they are not converted to structured facts.",
                        target, name));
        return;
    }
}

TargetData::TargetData(const GroupTree& tree, const Config& config, std::shared_ptr<Plugins> plugins)
    : tree_(tree), config_(config), plugins_(std::move(plugins)) {}

const TargetData::Identity& TargetData::identity(TargetId id) { return live(id).identity; }

TargetData::Live& TargetData::live(TargetId id) {
    std::unique_ptr<Live>& slot = live_[id];
    if (slot) return *slot;
    auto made = std::make_unique<Live>();
    const TargetRecord& record = tree_.record(id);
    Identity& identity = made->identity;
    bool named = false;
    Json aliases = Json::array();
    int with_alias = 0;
    for (const Definition& definition : record.definitions) {
        const yaml::Node entry = definition.entry;
        const yaml::Node uri = entry.is_map() ? entry.find("uri") : entry;
        // Compatibility (INV-037): the first that names a URI wins, parents before children.
        if (!identity.uri_text && uri.is_string()) identity.uri_text = std::string(uri.text());
        named = named || entry.find("name").is_string();
        const yaml::Node alias = entry.find("alias");
        if (!alias || alias.is_null()) continue;
        ++with_alias;
        if (!alias.is_sequence()) aliases.push_back(alias.to_json());
        for (const yaml::Node each : alias.elements()) aliases.push_back(each.to_json());
        if (record.definitions.size() == 1 && !alias.is_sequence()) aliases = alias.to_json();
    }
    identity.alias = std::make_shared<const Json>(std::move(aliases));
    if (record.definitions.empty()) identity.uri_text = record.name;
    if (identity.uri_text) identity.uri = parse_uri(*identity.uri_text);
    identity.safe_name = named || !identity.uri_text ? record.name : identity.uri.safe_text;
    slot = std::move(made);
    return *slot;
}

TargetData::GroupSet& TargetData::group_set(TargetId id) {
    std::vector<const Group*> groups = tree_.groups_of(id);
    GroupSet& set = group_sets_[groups];
    if (set.groups.empty()) set.groups = std::move(groups);
    return set;
}

TargetData::Data TargetData::resolve_section(yaml::Node holder, Section section, const Group& group,
                                             const std::string& target) {
    const yaml::Node node = holder.find(key_of(section));
    if (!node) return nullptr;
    Json data = node.to_json();
    if (!node.is_foreign() && has_references(data)) {
        const auto place = [node, section](const ReferencePath& path) {
            return reference_place(node, section, path);
        };
        data = resolve_references(data, *plugins_, {place, &prepared_, false});
    }
    if (is_list(section) ? !data.is_array() : !data.is_object()) {
        std::string message = fmt::format("Expected {} to be of type {}, not {}", key_of(section),
                                          is_list(section) ? "Array" : "Hash", data.type_name());
        if (!target.empty()) message += fmt::format(" for target {}", target);
        throw_validation_error(message, node, {group.name});
    }
    if (section == Section::Config) clean_transport_sections(data);
    if (is_list(section)) {
        Json flat = Json::array();
        flatten(data, flat);
        data = std::move(flat);
    }
    return std::make_shared<const Json>(std::move(data));
}

const TargetData::Data& TargetData::of_group(const Group& group, Section section) {
    std::optional<Data>& slot = groups_[&group][static_cast<std::size_t>(section)];
    if (!slot) slot = resolve_section(group.data, section, group, {});
    return *slot;
}

/// Configuration and facts merge deeply, variables and hooks by their keys, lists become their union (INV-033
/// to INV-035).
void TargetData::merge_into(Json& base, const Json& over, Section section) const {
    if (is_list(section)) {
        flatten(over, base);
    } else if (section == Section::Config || section == Section::Facts) {
        deep_merge(base, over);
    } else {
        shallow_merge(base, over);
    }
}

const TargetData::Data& TargetData::of_groups(GroupSet& set, Section section) {
    std::optional<Data>& slot = set.data[static_cast<std::size_t>(section)];
    if (slot) return *slot;
    Data result;
    std::shared_ptr<Json> merged;
    for (const Group* group : set.groups) {
        const Data& data = of_group(*group, section);
        if (!data) continue;
        if (!result) {
            result = data;
            continue;
        }
        if (!merged) merged = std::make_shared<Json>(*result);
        merge_into(*merged, *data, section);
        result = merged;
    }
    slot = std::move(result);
    return *slot;
}

const TargetData::Data& TargetData::own(TargetId id, Section section) {
    std::optional<Data>& slot = live(id).own[static_cast<std::size_t>(section)];
    if (slot) return *slot;
    const TargetRecord& record = tree_.record(id);
    std::shared_ptr<Json> merged;
    if (section == Section::Config && record.name == "localhost") {
        // INV-058: above the groups, below what the target says itself.
        merged = std::make_shared<Json>(Json{{"transport", std::string(transports::controller_transport())}});
    }
    for (const Definition& definition : record.definitions) {
        if (!definition.entry.is_map()) continue;
        const Data data = resolve_section(definition.entry, section, *definition.group, record.name);
        if (!data) continue;
        if (!merged) {
            merged = std::make_shared<Json>(*data);
        } else {
            merge_into(*merged, *data, section);
        }
    }
    slot = merged;
    return *slot;
}

Json TargetData::merged(TargetId id, Section section) {
    const Data& shared = of_groups(group_set(id), section);
    Json out = shared ? *shared : is_list(section) ? Json::array() : Json::object();
    if (const Data& data = own(id, section)) merge_into(out, *data, section);
    if (section == Section::Facts) warn_of_dots(out, identity(id).safe_name);
    return out;
}

std::vector<std::string> TargetData::features(TargetId id) {
    Live& target = live(id);
    std::vector<std::string> all = feature_names(of_groups(group_set(id), Section::Features).get());
    const std::vector<std::string> own_features =
        target.features ? *target.features : feature_names(own(id, Section::Features).get());
    for (const std::string& feature : own_features) add_feature(all, feature);
    return all;
}

/// INV-074. Compatibility: a feature of a group stays even when it is taken away from the target.
void TargetData::set_feature(TargetId id, const std::string& feature, bool present) {
    Live& target = live(id);
    if (!target.features) target.features = feature_names(own(id, Section::Features).get());
    if (present) {
        add_feature(*target.features, feature);
    } else {
        std::erase(*target.features, feature);
    }
}

void TargetData::prepare(const std::vector<TargetId>& ids) {
    std::vector<Json> references;
    const auto collect = [&references](yaml::Node holder) {
        const yaml::Node node = holder.find(key_of(Section::Config));
        if (!node || node.is_foreign()) return;
        for (Json& reference : outermost_references(node.to_json()))
            references.push_back(std::move(reference));
    };
    std::set<const Group*> seen;
    for (const TargetId id : ids) {
        const auto known = live_.find(id);
        if (known != live_.end() && known->second->options) continue;
        for (const Group* group : tree_.groups_of(id)) {
            const auto resolved = groups_.find(group);
            const bool done =
                resolved != groups_.end() && resolved->second[static_cast<std::size_t>(Section::Config)];
            if (seen.insert(group).second && !done) collect(group->data);
        }
        for (const Definition& definition : tree_.record(id).definitions) {
            if (definition.entry.is_map()) collect(definition.entry);
        }
    }
    if (references.size() > 1) prepared_.prepare(references, *plugins_, PreparedReferences::Depth::Complete);
}

/// Remote when URI or configuration say so, else that of the URI, of the target, of its groups, or the
/// default (INV-056).
std::string TargetData::transport(TargetId id) {
    Live& target = live(id);
    if (!target.transport.empty()) return target.transport;
    std::string configured = config_.transport;
    const auto look = [&](const Data& data) {
        if (!data) return false;
        const auto found = data->find("transport");
        if (found == data->end() || found->is_null() || *found == false) return false;
        if (!found->is_string())
            throw Error("bolt/validation-error",
                        fmt::format("The transport of {} must be a String", target.identity.safe_name));
        configured = found->get<std::string>();
        return true;
    };
    if (!look(own(id, Section::Config))) look(of_groups(group_set(id), Section::Config));
    const std::optional<std::string>& scheme = target.identity.uri.scheme;
    const transports::TransportSpec* const chosen = transports::find_transport(configured);
    const bool keeps_scheme = chosen != nullptr && chosen->uses_proxy_target;  // its URIs may have any scheme
    std::string name = keeps_scheme ? configured : scheme.value_or(configured);
    if (transports::find_transport(name) == nullptr) {
        const std::string meant = did_you_mean(name, transports::known_transport_names());
        throw Error("bolt/unknown-transport",
                    fmt::format("Unknown transport {} found for {}{}{}", name, target.identity.safe_name,
                                meant.empty() ? "" : ".", meant));
    }
    target.transport = name;
    return name;
}

TargetData::Data TargetData::config_section(const std::string& transport) {
    const auto [slot, is_new] = config_sections_.try_emplace(transport);
    if (!is_new) return slot->second;
    const auto found = config_.transport_sections.find(transport);
    if (found == config_.transport_sections.end()) return nullptr;
    Json section = *found->second;
    if (has_references(section))
        section = resolve_references(section, *plugins_, {config_place(transport), &prepared_, false});
    if (section.is_object()) slot->second = std::make_shared<const Json>(std::move(section));
    return slot->second;
}

TargetData::Data TargetData::build_options(TargetId id, const std::string& transport) {
    const transports::TransportSpec& spec = *transports::find_transport(transport);
    Json options = default_options(spec);
    const auto add = [&](const Data& config) {
        if (!config) return;
        const auto section = config->find(transport);
        if (section == config->end() || section->is_null()) return;
        if (!section->is_object()) {
            throw Error("bolt/validation-error",
                        fmt::format("The {} configuration of target {} must be a Hash", transport,
                                    identity(id).safe_name));
        }
        deep_merge(options, *section);
    };
    if (const Data configured = config_section(transport)) deep_merge(options, *configured);
    add(of_groups(group_set(id), Section::Config));
    add(own(id, Section::Config));
    return std::make_shared<const Json>(
        finish_options(std::move(options), spec, config_.project.path, "target " + identity(id).safe_name));
}

std::shared_ptr<const Json> TargetData::options(TargetId id) {
    Live& target = live(id);
    if (target.options) return target.options;
    const std::string name = transport(id);
    const Data& said = own(id, Section::Config);
    if (said && said->contains(name)) return target.options = build_options(id, name);
    Data& shared = group_set(id).options[name];
    if (!shared) shared = build_options(id, name);
    return target.options = shared;
}

Json TargetData::plugin_hooks(TargetId id) {
    // The default of plugin-hooks (CFG-037).
    Json hooks{{"puppet_library", {{"plugin", "openvox_bootstrap"}, {"stop_service", true}}}};
    shallow_merge(hooks, own_plugin_hooks(id));
    return hooks;
}

Json TargetData::own_plugin_hooks(TargetId id) {
    Json hooks = Json::object();
    if (config_.plugin_hooks) {
        const bool references = has_references(*config_.plugin_hooks);
        const ReferenceContext context{config_place("plugin-hooks"), nullptr, false};
        shallow_merge(hooks, references ? resolve_references(*config_.plugin_hooks, *plugins_, context)
                                        : *config_.plugin_hooks);
    }
    shallow_merge(hooks, merged(id, Section::PluginHooks));
    return hooks;
}

}  // namespace volley::inventory
