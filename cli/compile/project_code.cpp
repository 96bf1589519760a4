#include "cli/compile/project_code.hpp"

#include "inventory/config/config.hpp"
#include "support/error.hpp"
#include "support/files.hpp"

namespace volley::cli {
namespace {

namespace fs = std::filesystem;

/// A file that is named must be there: without its data a catalog would be another one.
fs::path existing_hiera_config(const std::string& path, const fs::path& folder) {
    const fs::path file = expand_path(path, folder);
    std::error_code ignored;
    if (!fs::exists(file, ignored) || fs::is_directory(file, ignored))
        throw Error("bolt/file-error", "The Hiera configuration " + file.string() + " does not exist");
    // A device such as /dev/null is an empty configuration.
    return fs::is_regular_file(file, ignored) ? file : fs::path();
}

/// The folder of the project that a folder is in; empty when it is in none. The user's own project
/// (~/.puppetlabs) is nothing that a folder is in.
fs::path project_around(fs::path folder) {
    std::error_code ignored;
    for (;;) {
        if (fs::is_directory(folder / "Boltdir", ignored)) return folder / "Boltdir";
        if (fs::is_regular_file(folder / "bolt-project.yaml", ignored)) return folder;
        if (folder == folder.root_path() || !folder.has_parent_path()) return {};
        folder = folder.parent_path();
    }
}

bool has_project(const inventory::ProcessContext& process, const fs::path& folder) {
    const auto named = process.environment("BOLT_PROJECT");
    return (named && !named->empty()) || !project_around(folder).empty();
}

void add_project(DiskEnvironmentOptions& disk, const LanguageOptions& options,
                 const inventory::ProcessContext& process, const fs::path& folder) {
    inventory::ProcessContext here = process;
    here.working_directory = folder;
    const inventory::Config config = inventory::load_config(here, {});
    if (!options.modulepath) {
        disk.modulepath =
            config.modulepath;  // the bundled modules have plans and tasks, nothing for a catalog
        if (config.project.name) disk.modules.push_back({*config.project.name, config.project.path.string()});
    }
    std::error_code ignored;
    if (!options.hiera_config && fs::is_regular_file(config.hiera_config, ignored))
        disk.hiera_config = config.hiera_config;
}

}  // namespace

DiskEnvironmentOptions code_options(const LanguageOptions& options, const inventory::ProcessContext& process,
                                    const fs::path& folder) {
    const fs::path& working = process.working_directory;
    DiskEnvironmentOptions disk{.name = options.environment.value_or("production"),
                                .environmentpath = {},
                                .modulepath = {},
                                .hiera_config = {}};
    if (options.environmentpath) disk.environmentpath = split_search_path(*options.environmentpath, working);
    if (options.modulepath) disk.modulepath = split_search_path(*options.modulepath, working);
    if (options.hiera_config) disk.hiera_config = existing_hiera_config(*options.hiera_config, working);
    if (!options.environmentpath && has_project(process, folder)) add_project(disk, options, process, folder);
    return disk;
}

std::shared_ptr<const DiskEnvironment> FilePlaces::environment_at(const fs::path& folder) {
    const bool named = options_.environmentpath || options_.modulepath;
    const fs::path project = named ? fs::path() : project_around(folder);
    if (!named && project.empty()) return nullptr;
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const DiskEnvironment>& known = environments_[project];
    if (!known) {
        DiskEnvironmentOptions disk;
        if (named && !options_.environmentpath) {
            disk.modulepath = split_search_path(*options_.modulepath, process_.working_directory);
        } else {
            disk = code_options(options_, process_, folder);
            disk.modules.clear();  // manifests of the project itself may be there to be applied
        }
        known = std::make_shared<const DiskEnvironment>(std::move(disk));
    }
    return known;
}

std::optional<std::string> FilePlaces::namespace_of(const std::string& file) {
    if (!file.ends_with(".pp")) return std::nullopt;
    const fs::path path = expand_path(file, process_.working_directory).lexically_normal();
    const auto environment = environment_at(path.parent_path());
    return environment ? environment->namespace_of(path.string()) : std::nullopt;
}

}  // namespace volley::cli
