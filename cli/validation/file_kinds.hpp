#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace volley::cli {

/// What a file has to be, as its name and place say.
enum class FileKind : std::uint8_t {
    Unknown,
    Manifest,
    Plan,
    Epp,
    Erb,
    Ruby,
    HieraConfig,
    YamlPlan,
    ProjectFile,   ///< bolt-project.yaml
    DefaultsFile,  ///< bolt-defaults.yaml
    Inventory,
    Yaml,
    TaskMetadata,
    ModuleMetadata,
    Json,
};

/// `file`: absolute, so that the folders around it count. It need not exist.
FileKind kind_of_file(const std::filesystem::path& file);

/// The files below a folder whose kind is known, sorted; hidden files and folders (.git, .modules) are left
/// out.
std::vector<std::string> files_of_known_kinds(const std::filesystem::path& folder);

}  // namespace volley::cli
