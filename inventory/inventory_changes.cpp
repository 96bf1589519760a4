#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "inventory/groups/validation_error.hpp"
#include "inventory/inventory.hpp"
#include "inventory/references.hpp"
#include "inventory/state.hpp"

namespace volley::inventory {
namespace {

std::vector<std::string> aliases_of(const Json& data) {
    const auto found = data.find("target_alias");
    if (found == data.end() || found->is_null()) return {};
    if (found->is_string()) return {found->get<std::string>()};
    return found->get<std::vector<std::string>>();
}

/// A name is not that of a group; an alias neither that of a group or target nor another target's alias
/// (INV-071).
void check_new_names(const GroupTree& tree, const std::string& name,
                     const std::vector<std::string>& aliases) {
    if (tree.find_group(name) != nullptr) {
        throw_validation_error(fmt::format("Target name {} conflicts with group of the same name", name), {},
                               {});
    }
    for (auto at = aliases.begin(); at != aliases.end(); ++at) {
        const std::string& alias = *at;
        if (const std::size_t found = separator_in(alias); found != std::string::npos) {
            throw_validation_error(fmt::format("Illegal character '{}' in alias '{}'", alias[found], alias),
                                   {}, {});
        }
        if (std::find(aliases.begin(), at, alias) != at) {
            throw_validation_error(
                fmt::format("Alias {} refers to multiple targets: {} and {}", alias, name, name), {}, {});
        }
        if (tree.find_group(alias) != nullptr) {
            throw_validation_error(fmt::format("Alias {} conflicts with group of the same name", alias), {},
                                   {});
        }
        if (tree.find_target(alias)) {
            throw_validation_error(fmt::format("Alias {} conflicts with target of the same name", alias), {},
                                   {});
        }
        const auto other = tree.find_alias(alias);
        if (other && tree.record(*other).name != name) {
            throw_validation_error(fmt::format("Alias {} refers to multiple targets: {} and {}", alias,
                                               tree.record(*other).name, name),
                                   {}, {});
        }
    }
}

void check_group(const GroupTree& tree, const std::string& group) {
    if (tree.find_group(group) != nullptr) return;
    throw_validation_error(fmt::format("Group {} does not exist in inventory", group), {}, {});
}

}  // namespace

Target Inventory::create(const Json& data) {
    const Json name_or_uri =
        data.contains("name") && data["name"].is_string() ? data["name"] : data.value("uri", Json());
    if (!name_or_uri.is_string()) throw_validation_error("Target must have either a name or uri", {}, {});
    const auto name = name_or_uri.get<std::string>();
    check_name(name);
    const std::vector<std::string> aliases = aliases_of(data);
    check_new_names(state_->tree, name, aliases);
    const auto known = state_->tree.find_target(name);
    const TargetId id = known ? *known : state_->tree.add_target(name);
    state_->data.replace(id, data);
    state_->tree.set_aliases(id, aliases);
    const Target target(*this, id);
    static_cast<void>(target.options());  // wrong configuration fails now, with the position of Target.new
    return target;
}

void Inventory::add_to_group(const std::vector<Target>& targets, const std::string& group) {
    check_group(state_->tree, group);
    for (const Target& target : targets) {
        state_->data.freeze(target.id_);
        state_->tree.add_to_group(target.id_, group);
        state_->data.forget(target.id_);
    }
}

void Inventory::remove_from_group(const std::vector<Target>& targets, const std::string& group) {
    if (targets.size() != 1) {
        throw_validation_error(
            fmt::format("'remove_from_group' expects a single Target, got {}", targets.size()), {}, {});
    }
    if (group == "all") throw_validation_error("Cannot remove Target from Group 'all'", {}, {});
    check_group(state_->tree, group);
    const TargetId id = targets.front().id_;
    state_->data.freeze(id);
    state_->tree.remove_from_group(id, group);
    state_->data.forget(id);
}

void Inventory::prepare(const std::vector<Target>& targets) {
    std::vector<TargetId> ids;
    for (const Target& target : targets) ids.push_back(target.id_);
    state_->data.prepare(ids);
}

Json Inventory::resolve_references(const Json& value) {
    return inventory::resolve_references(value, *state_->plugins);
}

std::string Inventory::hook_task(const std::string& plugin, Hook hook, Json& parameters) {
    return state_->plugins->hook_task(plugin, hook, parameters);
}

std::shared_ptr<PuppetDb> Inventory::puppetdb(const std::string& instance) {
    return state_->plugins->puppetdb(instance);
}

}  // namespace volley::inventory
