#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "cli/migration/migration.hpp"
#include "inventory/config/config_schema.hpp"
#include "inventory/config/merge.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

namespace fs = std::filesystem;

/// Replaces `nodes` by `targets` in a group and those below it; true when there were any.
bool migrate_group(Json& group) {
    if (!group.is_object()) return false;
    bool migrated = false;
    if (const auto nodes = group.find("nodes"); nodes != group.end()) {
        migrated = true;
        Json targets = *nodes;
        for (Json& target : targets) {
            if (!target.is_object() || !target.contains("name")) continue;
            Json uri = target["name"];
            target.erase("name");
            target["uri"] = std::move(uri);
        }
        group.erase("nodes");
        group["targets"] = std::move(targets);
    }
    if (const auto groups = group.find("groups"); groups != group.end() && groups->is_array()) {
        for (Json& below : *groups) migrated = migrate_group(below) || migrated;
    }
    return migrated;
}

}  // namespace

bool Migration::inventory() {
    Json data = migrated_data(inventory_file_, "inventory file");
    if (const auto version = data.find("version"); version != data.end() && *version != 2)
        data.erase("version");
    if (!migrate_group(data)) return true;
    message("Migrating inventory\n\n");
    back_up(inventory_file_);
    write_migrated(inventory_file_, data);
    step("Successfully migrated inventory to the latest version.");
    return true;
}

/// What says how to reach targets goes from `config` into the inventory, whose own values win.
void Migration::move_transports(Json& config, const fs::path& old_file) {
    Json transports = Json::object();
    Json rest = Json::object();
    std::vector<std::string> moved;
    for (const auto& [key, value] : config.items()) {
        const bool transport = inventory::is_inventory_key(key);
        (transport ? transports : rest)[key] = value;
        if (transport) moved.push_back(key);
    }
    if (moved.empty()) return;
    Json data = migrated_data(inventory_file_, "inventory file");
    const auto own = data.find("config");
    if (own != data.end() && !own->is_null() && !own->is_object())
        throw Error("bolt/parse-error",
                    "Could not migrate: 'config' in " + inventory_file_.string() + " is not a map");
    if (fs::exists(inventory_file_)) back_up(inventory_file_);
    back_up(old_file);
    step(fmt::format("Moving transportation configuration options '{}' from bolt.yaml to inventory.yaml",
                     join(moved, ", ")));
    if (own != data.end() && own->is_object()) inventory::deep_merge(transports, Json(*own));
    data["config"] = std::move(transports);
    write_migrated(inventory_file_, data);
    config = std::move(rest);
    write_migrated(old_file, config);
}

bool Migration::configuration() {
    const fs::path old_file = project_ / "bolt.yaml";
    if (fs::exists(old_file) && !fs::exists(project_file_)) {
        message("Migrating project configuration\n\n");
        Json config = migrated_data(old_file, "configuration file");
        move_transports(config, old_file);
        step("Renaming bolt.yaml to bolt-project.yaml");
        fs::rename(old_file, project_file_);
        step(
            "Successfully migrated config. Please add a 'name' key to bolt-project.yaml to use project-level "
            "tasks and plans. "
            "Learn more about projects by running 'volley guide project'.");
    }
    return rename_keys();
}

bool Migration::rename_keys() {
    static constexpr auto renamed =
        std::to_array<std::pair<const char*, const char*>>({{"apply_settings", "apply-settings"},
                                                            {"puppetfile", "module-install"},
                                                            {"plugin_hooks", "plugin-hooks"}});
    if (!fs::exists(project_file_)) return true;
    message("Updating project configuration options\n\n");
    Json data = migrated_data(project_file_, "project file");
    bool modified = false;
    for (const auto& [old_key, new_key] : renamed) {
        if (!data.contains(old_key)) continue;
        if (!modified) back_up(project_file_);
        modified = true;
        if (data.contains(new_key)) {
            step(fmt::format("Removing deprecated option '{}'", old_key));
        } else {
            step(fmt::format("Updating deprecated option '{}' to '{}'", old_key, new_key));
            data[new_key] = Json(data[old_key]);
        }
        data.erase(old_key);
    }
    if (modified) write_migrated(project_file_, data);
    step(modified ? "Successfully updated project configuration " + project_file_.string()
                  : std::string("Project configuration is up to date, nothing to do."));
    return true;
}

}  // namespace volley::cli
