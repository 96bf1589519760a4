#include "inventory/config/config_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "inventory/config/config_schema.hpp"
#include "support/error.hpp"
#include "support/paths/file_checks.hpp"
#include "support/yaml/document.hpp"

namespace volley::inventory {
namespace {

namespace fs = std::filesystem;

/// The document of a file whose top level is a map or empty (PRJ-011).
std::unique_ptr<const yaml::Document> read_map(const fs::path& path, std::string_view what) {
    auto document = yaml::Document::read(path, what);
    warn_of_repeated_keys(*document);
    const yaml::Node root = document->root();
    if (root.is_map() || root.is_null()) return document;
    throw Error("bolt/file-error",
                fmt::format("Invalid content for the {} {}: it should be a Hash or empty, not {}", what,
                            root.where(), to_string(root.kind())),
                Json{{"path", path.string()}});
}

Json object_of(const yaml::Document& document) {
    return document.root().is_map() ? document.root().to_json() : Json::object();
}

/// Removes the keys for which `unwanted` answers true and returns their names.
template <class Predicate>
std::vector<std::string> take_out(Json& data, Predicate unwanted) {
    std::vector<std::string> removed;
    for (const auto& [key, value] : data.items()) {
        if (unwanted(key)) removed.push_back(key);
    }
    for (const std::string& key : removed) data.erase(key);
    return removed;
}

ConfigLayer read_defaults_file(const ProcessContext& process, const fs::path& path) {
    const auto document = read_map(path, "config file");
    if (document->root().is_map())
        validate(document->root(), defaults_schema(process.output_formats), path.string());
    log(LogLevel::Debug, "config", "Loaded configuration from " + path.string());
    Json data = object_of(*document);
    const auto project_keys =
        take_out(data, [](const std::string& key) { return is_project_key(key) && !is_defaults_key(key); });
    if (!project_keys.empty()) {
        log_warning(
            "unsupported_project_config", "config",
            fmt::format("Unsupported project configuration detected in '{}': {}. Project configuration "
                        "should be set in 'bolt-project.yaml'.",
                        path.string(), fmt::join(project_keys, ", ")));
    }
    const auto transport_keys = take_out(data, is_inventory_key);
    if (!transport_keys.empty()) {
        log_warning(
            "unsupported_inventory_config", "config",
            fmt::format("Unsupported inventory configuration detected in '{}': {}. Transport configuration "
                        "should be set under the 'inventory-config' option or in 'inventory.yaml'.",
                        path.string(), fmt::join(transport_keys, ", ")));
    }
    if (const auto nested = data.find("inventory-config"); nested != data.end()) {
        const Json section = *nested;
        data.erase("inventory-config");
        for (const auto& [key, value] : section.items()) {
            if (is_inventory_key(key)) data[key] = value;
        }
    }
    return {path, std::make_shared<const Json>(std::move(data))};
}

bool is_module_name(std::string_view name) {
    return !name.empty() && name[0] >= 'a' && name[0] <= 'z' && std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    });
}

/// A project's name is a module's name, and not that of a built-in module (PRJ-008).
void config_files_check_name(yaml::Node node) {
    constexpr std::string_view built_in[] = {"boltlib", "ctrl", "dir",    "file",
                                             "log",     "out",  "prompt", "system"};
    const std::string_view name = node.text();
    if (!is_module_name(name)) {
        throw Error(
            "bolt/validation-error",
            fmt::format("Invalid project name '{}' ({}): a project name begins with a lowercase letter and "
                        "has only lowercase letters, numbers and underscores",
                        name, node.where()));
    }
    if (std::ranges::find(built_in, name) != std::end(built_in)) {
        throw Error("bolt/validation-error",
                    fmt::format("The project name '{}' ({}) is the name of a built-in module; choose another",
                                name, node.where()));
    }
}

void warn_without_name(const Project& project) {
    for (const char* content : {"plans", "tasks", "files"}) {
        std::error_code ignored;
        if (!fs::is_directory(project.path / content, ignored)) continue;
        log_warning("missing_project_name", "project",
                    "No project name is specified in bolt-project.yaml. Project-level content will not be "
                    "available.");
        return;
    }
}

}  // namespace

std::vector<ConfigLayer> read_defaults(const ProcessContext& process) {
    std::vector<fs::path> directories{process.system_config};
    if (!process.home.empty()) directories.push_back(process.home / ".puppetlabs" / "etc" / "bolt");
    std::vector<ConfigLayer> layers;
    for (const fs::path& directory : directories) {
        const fs::path path = directory / "bolt-defaults.yaml";
        if (path_exists(path)) layers.push_back(read_defaults_file(process, path));
    }
    return layers;
}

ConfigLayer read_project_file(const ProcessContext& process, Project& project) {
    const fs::path path = project.project_file();
    if (!path_exists(path)) return {path, std::make_shared<const Json>(Json::object())};
    const auto document = read_map(path, "project file");
    const yaml::Node root = document->root();
    if (root.is_map()) validate(root, project_schema(process.output_formats), path.string());
    log(LogLevel::Info, "project", "Loaded project from '" + project.path.string() + "'");
    Json data = object_of(*document);
    // CFG-016: the validator has warned of these keys as unknown options already.
    const auto transport_keys = take_out(data, is_inventory_key);
    if (!transport_keys.empty()) {
        log_warning(
            "project_transport_config", "project",
            fmt::format("Transport configuration isn't supported in bolt-project.yaml. Ignoring keys {}.",
                        fmt::join(transport_keys, ", ")));
    }
    take_out(data, [](const std::string& key) { return !is_project_key(key); });
    if (const yaml::Node name = root.find("name")) {
        config_files_check_name(name);
        project.name = std::string(name.text());
    } else {
        warn_without_name(project);
    }
    return {path, std::make_shared<const Json>(std::move(data))};
}

}  // namespace volley::inventory
