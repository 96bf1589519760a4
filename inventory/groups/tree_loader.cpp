#include "inventory/groups/tree_loader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "inventory/config/config_schema.hpp"
#include "inventory/config/schema.hpp"
#include "inventory/groups/validation_error.hpp"
#include "inventory/references.hpp"
#include "support/error.hpp"
#include "support/log.hpp"
#include "support/unicode/utf8.hpp"
#include "transports/transport.hpp"

namespace volley::inventory {
namespace {

const std::vector<std::string> group_keys{"config", "facts",        "features", "groups",
                                          "name",   "plugin_hooks", "targets",  "vars"};
const std::vector<std::string> target_keys{"alias", "config",       "facts", "features",
                                           "name",  "plugin_hooks", "uri",   "vars"};

bool is_reference(yaml::Node node) { return node.is_map() && !node.is_foreign() && node.find("_plugin"); }

/// The references that are needed to know groups and targets. Strings and data are passed over.
void eager_references(yaml::Node node, std::vector<Json>& found, int depth = 0) {
    if (depth > maximum_reference_depth || node.is_foreign())
        return;  // too deep: the loader itself will say so
    if (is_reference(node)) {
        found.push_back(node.to_json());
    } else if (node.is_sequence()) {
        for (const yaml::Node element : node.elements()) eager_references(element, found, depth + 1);
    } else if (node.is_map()) {
        for (const std::string_view key : {"name", "uri", "alias", "targets", "groups"})
            eager_references(node.find(key), found, depth + 1);
    }
}

std::vector<std::string> unexpected(yaml::Node map, const std::vector<std::string>& known) {
    std::vector<std::string> keys;
    for (const yaml::Entry& entry : map.entries()) {
        const bool expected = std::ranges::find(known, entry.key.text()) != known.end();
        if (!expected) keys.emplace_back(entry.key.text());
    }
    return keys;
}

}  // namespace

void throw_validation_error(std::string_view message, yaml::Node at, const std::vector<std::string>& path) {
    std::string text(message);
    if (at && at.position().line > 0) text += " (" + at.where() + ")";
    Json names = Json::array();
    for (const std::string& name : path) names.push_back(name);
    if (!path.empty()) {
        std::string list;
        for (const std::string& name : path) list += (list.empty() ? "\"" : ", \"") + name + "\"";
        text += " for group at [" + list + "]";
    }
    throw Error("bolt.inventory/validation-error", text, Json{{"path", std::move(names)}});
}

void TreeLoader::fail(std::string_view message, yaml::Node at, const Group* group) const {
    throw_validation_error(message, at,
                           group == nullptr ? std::vector<std::string>() : std::vector{group->name});
}

void TreeLoader::load() {
    const yaml::Node document = tree_.documents_.front()->root();
    prepare(document);
    tree_.root_ = load_group(document, nullptr);
    place_strings(*tree_.root_);
    std::uint32_t next_rank = 0;
    rank(*tree_.root_, next_rank);
    list(*tree_.root_);
    for (TargetRecord& record : tree_.records_) {
        record.from_source = true;
        std::ranges::sort(record.definitions, {}, [](const Definition& each) { return each.group->rank; });
    }
    check_conflicts(*tree_.root_);
}

std::unique_ptr<Group> TreeLoader::load_group(yaml::Node node, Group* parent) {
    for (int depth = 0; is_reference(node); ++depth) {
        if (depth > maximum_reference_depth) throw_reference_loop();
        node = keep_answer(node);
        prepare(node);
    }
    const bool is_all = parent == nullptr;
    if (!node.is_map() && !(is_all && node.is_null())) {
        fail(fmt::format("Expected group to be a Hash, not {}", to_string(node.kind())), node, parent);
    }
    auto group = std::make_unique<Group>();
    group->parent = parent;
    group->data = node;
    group->name = group_name(node, parent);
    check_group_keys(node, *group);
    check_data_keys(node, *group, {});
    load_targets(*group);
    each_resolved(node.find("groups"),
                  [&](yaml::Node child) { group->groups.push_back(load_group(child, group.get())); });
    return group;
}

std::string TreeLoader::group_name(yaml::Node node, const Group* parent) {
    const yaml::Node name = node.find("name");
    if (parent == nullptr) {
        if (name && name.text() != "all") {
            log_warning("top_level_group_name", "inventory",
                        fmt::format("Top-level group '{}' cannot specify a name, using 'all' instead ({}).",
                                    name.text(), name.where()));
        }
        return "all";
    }
    if (!name) fail("Group does not have a name", node, nullptr);
    const yaml::Node resolved = is_reference(name) ? keep(answer_all(name), name.where()) : name;
    if (!resolved.is_string()) {
        fail(fmt::format("Group name must be a String, not {}", to_string(resolved.kind())), name, nullptr);
    }
    std::string text(resolved.text());
    if (const std::size_t at = separator_in(text); at != std::string::npos) {
        throw_validation_error(fmt::format("Illegal character '{}' in group name '{}'", text[at], text), name,
                               {text});
    }
    return text;
}

void TreeLoader::check_group_keys(yaml::Node node, const Group& group) {
    if (const yaml::Node lookups = node.find("target-lookups")) {
        fail(
            "'target-lookups' is no longer a key: put its entries into 'targets', with '_plugin' for "
            "'plugin'",
            lookups, &group);
    }
    if (const yaml::Node nodes = node.find("nodes")) {
        fail(fmt::format(
                 "Found 'nodes' key in group {}. This looks like a v1 inventory file, which is no longer "
                 "supported. 'volley project migrate' makes a v2 inventory file of it",
                 group.name),
             nodes, nullptr);
    }
    std::vector<std::string> keys = unexpected(node, group_keys);
    if (group.parent == nullptr) std::erase(keys, "version");
    if (keys.empty()) return;
    log_warning("unknown_group_keys", "inventory",
                fmt::format("Found unexpected key(s) {} in group {} ({}).{}", fmt::join(keys, ", "),
                            group.name, node.where(), hint(keys.front(), group_keys)));
}

/// Types of config, facts, vars, features and plugin_hooks; unknown sections of config are warned about
/// (INV-008, INV-009).
void TreeLoader::check_data_keys(yaml::Node node, const Group& group, std::string_view target) {
    for (std::size_t i = 0; i < section_count; ++i) {
        const auto section = static_cast<Section>(i);
        const yaml::Node data = node.find(key_of(section));
        const yaml::Kind wanted = section == Section::Features ? yaml::Kind::Sequence : yaml::Kind::Map;
        if (!data || data.kind() == wanted || is_reference(data)) continue;
        std::string message = fmt::format("Expected {} to be of type {}, not {}", key_of(section),
                                          to_string(wanted), to_string(data.kind()));
        if (!target.empty()) message += fmt::format(" for target {}", target);
        fail(message, data, &group);
    }
    const yaml::Node config = node.find("config");
    if (!config || is_reference(config)) return;
    std::vector<std::string> keys;
    for (const yaml::Entry& entry : config.entries()) {
        if (!is_inventory_key(entry.key.text())) keys.emplace_back(entry.key.text());
    }
    if (keys.empty()) return;
    const std::string place = target.empty() ? std::string() : fmt::format(" target {} in", target);
    log_warning("unknown_config_keys", "inventory",
                fmt::format("Found unexpected key(s) {} in config for{} group {} ({}).{}",
                            fmt::join(keys, ", "), place, group.name, config.where(),
                            hint(keys.front(), transports::known_transport_names())));
}

void TreeLoader::load_targets(Group& group) {
    std::uint32_t& place = places_[&group];
    each_resolved(group.data.find("targets"), [&](yaml::Node entry) {
        ++place;
        if (entry.is_string()) {
            strings_[&group].push_back({entry, place});
        } else if (entry.is_map()) {
            define_target(group, entry, place);
        } else {
            fail(fmt::format("Target entry must be a String or Hash, not {}", to_string(entry.kind())), entry,
                 &group);
        }
    });
}

/// Name, uri and alias of a target are needed at once; its data stays unresolved (INV-010).
yaml::Node TreeLoader::without_references(yaml::Node entry) {
    constexpr std::string_view eager[] = {"name", "uri", "alias"};
    const bool needed = std::ranges::any_of(eager, [&](std::string_view key) {
        const yaml::Node value = entry.find(key);
        if (is_reference(value)) return true;
        for (const yaml::Node element : value.elements()) {
            if (is_reference(element)) return true;
        }
        return false;
    });
    if (!needed) return entry;
    Json data = entry.to_json();
    for (const std::string_view key : eager) {
        const auto found = data.find(key);
        if (found != data.end()) *found = answer_all(entry.find(key));
    }
    return keep(data, entry.where());
}

void TreeLoader::define_target(Group& group, yaml::Node entry, std::uint32_t place) {
    entry = without_references(entry);
    yaml::Node name = entry.find("name");
    if (!name || name.is_null()) name = entry.find("uri");
    if (!name || name.is_null() || (name.is_string() && name.text().empty())) {
        fail("No name or uri for target", entry, &group);
    }
    if (!name.is_string()) {
        fail(fmt::format("Target name must be a String, not {}", to_string(name.kind())), name, &group);
    }
    if (!is_ascii(name.text())) fail("Target name must be ASCII characters", name, &group);
    const TargetId id = tree_.intern(name.text());
    if (membership_[&group].contains(id)) {
        log(LogLevel::Debug, "inventory",
            fmt::format("Ignoring duplicate target in {} ({})", group.name, entry.where()));
        return;
    }
    check_target_keys(entry, group, name.text());
    add_aliases(group, id, entry.find("alias"));
    add_member(group, id, entry, place);
}

void TreeLoader::check_target_keys(yaml::Node entry, const Group& group, std::string_view name) {
    const std::vector<std::string> keys = unexpected(entry, target_keys);
    if (!keys.empty()) {
        log_warning("unknown_target_keys", "inventory",
                    fmt::format("Found unexpected key(s) {} in target {} ({}).{}", fmt::join(keys, ", "),
                                name, entry.where(), hint(keys.front(), target_keys)));
    }
    check_data_keys(entry, group, name);
    const yaml::Node uri = entry.find("uri");
    if (uri && !uri.is_string() && !uri.is_null()) {
        fail(fmt::format("The uri of target {} must be a String, not {}", name, to_string(uri.kind())), uri,
             &group);
    }
}

void TreeLoader::add_aliases(Group& group, TargetId id, yaml::Node alias) {
    if (!alias) return;
    const std::string& target = tree_.records_[id].name;
    const auto add = [&](yaml::Node each) {
        if (!each.is_string()) {
            fail(fmt::format("Alias entry on {} must be a String or Array, not {}", target,
                             to_string(each.kind())),
                 each, &group);
        }
        const std::string_view name = each.text();
        if (const std::size_t at = separator_in(name); at != std::string_view::npos) {
            fail(fmt::format("Illegal character '{}' in alias '{}'", name[at], name), each, &group);
        }
        std::vector<Alias>& aliases = group_aliases_[&group];
        aliases.push_back({name, id, each});
        // The first one counts here; a second one is a conflict and found later.
        tree_.aliases_.emplace(name, id);
    };
    if (!alias.is_sequence()) {
        add(alias);
        return;
    }
    for (const yaml::Node each : alias.elements()) add(each);
}

bool TreeLoader::add_member(Group& group, TargetId id, yaml::Node entry, std::uint32_t place) {
    if (!membership_[&group].emplace(id, place).second) return false;
    group.members.push_back(id);
    tree_.records_[id].definitions.push_back({&group, entry});
    return true;
}

/// INV-007: the name of a target, else an alias, else a new target with that text as its uri.
void TreeLoader::place_strings(Group& group) {
    for (const auto& [text, place] : strings_[&group]) {
        const bool by_name = tree_.find_target(text.text()).has_value();
        const auto by_alias = tree_.find_alias(text.text());
        const TargetId id = !by_name && by_alias ? *by_alias : tree_.intern(text.text());
        const bool known = by_name || by_alias.has_value();
        if (add_member(group, id, known ? yaml::Node() : text, place)) continue;
        log(LogLevel::Debug, "inventory",
            fmt::format("Ignoring duplicate target in {} ({})", group.name, text.where()));
    }
    // Maps were read first, since texts may mean them; the order is that of the file.
    const auto& places = membership_[&group];
    std::ranges::stable_sort(group.members, {}, [&places](TargetId id) { return places.at(id); });
    for (const auto& child : group.groups) place_strings(*child);
}

void TreeLoader::rank(Group& group, std::uint32_t& next) {
    group.rank = next++;
    for (auto child = group.groups.rbegin(); child != group.groups.rend(); ++child) rank(**child, next);
}

void TreeLoader::list(Group& group) {
    tree_.group_list_.push_back(&group);
    tree_.group_names_.emplace(group.name, &group);
    for (const auto& child : group.groups) list(*child);
}

void TreeLoader::each_resolved(yaml::Node node, const Visitor& visit, int depth) {
    if (depth > maximum_reference_depth) throw_reference_loop();
    if (!node || node.is_null()) return;
    if (is_reference(node)) {
        const yaml::Node given = keep_answer(node);
        prepare(given);
        each_resolved(given, visit, depth + 1);
    } else if (node.is_sequence()) {
        for (const yaml::Node element : node.elements()) each_resolved(element, visit, depth);
    } else {
        visit(node);
    }
}

void TreeLoader::prepare(yaml::Node node) {
    std::vector<Json> references;
    eager_references(node, references);
    if (references.size() > 1) prepared_.prepare(references, plugins_, PreparedReferences::Depth::FirstStep);
}

Json TreeLoader::answer(yaml::Node reference) {
    const Json asked = reference.to_json();
    try {
        const Json* known = prepared_.find(asked);
        return known ? *known : resolve_outer_reference(asked, plugins_);
    } catch (const Error& error) {
        throw_at_place(error, reference.where());
    }
}

Json TreeLoader::answer_all(yaml::Node value) {
    if (value.is_foreign()) return value.to_json();
    if (is_reference(value)) {
        Json given = answer(value);
        const bool is_data = !plugins_.answers_with_references(value.to_json());
        return is_data ? given : resolve_references(given, plugins_);
    }
    if (!value.is_sequence()) return resolve_references(value.to_json(), plugins_);
    Json out = Json::array();
    for (const yaml::Node element : value.elements()) out.push_back(answer_all(element));
    return out;
}

yaml::Node TreeLoader::keep(const Json& data, std::string name, bool foreign) {
    tree_.documents_.push_back(yaml::Document::from_json(data, std::move(name), foreign));
    return tree_.documents_.back()->root();
}

yaml::Node TreeLoader::keep_answer(yaml::Node reference) {
    const bool is_data = !plugins_.answers_with_references(reference.to_json());
    return keep(answer(reference), reference.where(), is_data);
}

}  // namespace volley::inventory
