#include "cli/validation/file_kinds.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>

namespace volley::cli {
namespace {

namespace fs = std::filesystem;

bool is_module_root(const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(folder / "bolt-project.yaml", ignored) || fs::exists(folder / "metadata.json", ignored);
}

/// Whether the file is in the folder `name` of a module or project, at any depth: the nearest folder that
/// says what its files are has that name, and is not itself a part of data, of templates or the like.
bool is_below(const fs::path& file, std::string_view name) {
    static constexpr auto telling =
        std::to_array<std::string_view>({"data", "facts.d", "files", "functions", "hieradata", "lib",
                                         "manifests", "plans", "tasks", "templates", "types"});
    for (fs::path folder = file.parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
        const std::string own = folder.filename().string();
        if (is_module_root(folder)) return false;
        if (std::ranges::find(telling, own) == telling.end()) continue;
        if (own != name) return false;
        const std::string above = folder.parent_path().filename().string();
        const bool part =
            std::ranges::find(telling, above) != telling.end() && !is_module_root(folder.parent_path());
        return !part || above == name;
    }
    return false;
}

FileKind kind_of_yaml(const fs::path& file) {
    const std::string name = file.filename().string();
    if (name == "hiera.yaml") return FileKind::HieraConfig;
    if (name == "bolt-project.yaml") return FileKind::ProjectFile;
    if (name == "bolt-defaults.yaml") return FileKind::DefaultsFile;
    if (name == "inventory.yaml") return FileKind::Inventory;
    return is_below(file, "plans") ? FileKind::YamlPlan : FileKind::Yaml;
}

}  // namespace

FileKind kind_of_file(const fs::path& file) {
    const std::string extension = file.extension().string();
    if (extension == ".pp") return is_below(file, "plans") ? FileKind::Plan : FileKind::Manifest;
    if (extension == ".yaml" || extension == ".yml") return kind_of_yaml(file);
    if (extension == ".eyaml") return FileKind::Yaml;
    if (extension == ".epp") return FileKind::Epp;
    if (extension == ".erb") return FileKind::Erb;
    if (extension == ".rb") return FileKind::Ruby;
    if (extension != ".json") return FileKind::Unknown;
    if (file.filename() == "metadata.json") return FileKind::ModuleMetadata;
    return is_below(file, "tasks") ? FileKind::TaskMetadata : FileKind::Json;
}

std::vector<std::string> files_of_known_kinds(const fs::path& folder) {
    std::vector<std::string> files;
    std::error_code problem;
    const auto options = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator at(folder, options, problem), end; !problem && at != end;
         at.increment(problem)) {
        if (at->path().filename().string().starts_with('.')) {
            at.disable_recursion_pending();
            continue;
        }
        std::error_code ignored;
        const bool regular = at->is_regular_file(ignored);
        if (regular &&
            kind_of_file(fs::absolute(at->path(), ignored).lexically_normal()) != FileKind::Unknown)
            files.push_back(at->path().string());
    }
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace volley::cli
