#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace volley::inventory {

/// The controller as configuration sees it; tests pass their own.
struct ProcessContext {
    std::filesystem::path working_directory;
    std::filesystem::path home;           ///< empty when unknown (ENV-008)
    std::filesystem::path system_config;  ///< /etc/puppetlabs/bolt
    std::function<std::optional<std::string>(std::string_view name)> environment;  ///< environment variables
    bool standard_input_is_terminal = false;
    std::vector<std::string> output_formats;  ///< that `format` may name, sorted; empty: any text
    /// Asks the user and returns the answer, typed without echo. Empty: nobody to ask.
    std::function<std::string(std::string_view question)> ask_secret;
    /// The real ones of this process.
    static ProcessContext of_process();
};

enum class ProjectType { Environment, Option, Embedded, Local, User, System };

/// A Bolt project: where it is and what it is called. Section 3.1 and 3.2 of the checklist.
struct Project {
    std::filesystem::path path;
    ProjectType type = ProjectType::User;
    /// From bolt-project.yaml, filled in by load_config; without a name the project's own content is not
    /// loaded (PRJ-009).
    std::optional<std::string> name;

    std::filesystem::path project_file() const { return path / "bolt-project.yaml"; }
    std::filesystem::path default_inventory_file() const { return path / "inventory.yaml"; }
    std::filesystem::path default_hiera_config() const { return path / "hiera.yaml"; }
    std::filesystem::path managed_modules() const { return path / ".modules"; }
    std::filesystem::path default_rerun_file() const { return path / ".rerun.json"; }
    std::filesystem::path debug_log() const { return path / "bolt-debug.log"; }
    std::filesystem::path downloads() const { return path / "downloads"; }
};

/// PRJ-001 to PRJ-006. `option`: the value of --project. `old_projects`: bolt.yaml marks one, too. Throws
/// Error bolt/project-error, bolt/world-writable-error.
Project find_project(const ProcessContext& process, const std::optional<std::string>& option,
                     bool old_projects = false);

}  // namespace volley::inventory
