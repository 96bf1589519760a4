#include "inventory/project.hpp"

#include <unistd.h>

#include <cstdlib>
#include <system_error>

#include "inventory/project_trust.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/log.hpp"
#include "support/terminal.hpp"

namespace volley::inventory {
namespace {

namespace fs = std::filesystem;

bool is_folder(const fs::path& path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored);
}

bool is_file(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

Project make(const fs::path& path, ProjectType type) {
    Project project;
    project.path = path;
    project.type = type;
    check_project_trust(project);
    return project;
}

Project default_project(const Surroundings& surroundings) {
    if (surroundings.home.empty()) return make(surroundings.system_config, ProjectType::System);
    const fs::path path = surroundings.home / ".puppetlabs" / "bolt";
    std::error_code failed;
    fs::create_directories(path, failed);
    if (failed) {
        log_warning("non_writeable_project", "project",
                    "Could not create default project at " + path.string() + " (" + failed.message() +
                        "). Log and rerun files will not be written.");
    }
    return make(path, ProjectType::User);
}

Project discover(const Surroundings& surroundings, bool old_projects) {
    fs::path directory = surroundings.working_directory;
    while (true) {
        if (is_folder(directory / "Boltdir")) return make(directory / "Boltdir", ProjectType::Embedded);
        if (is_file(directory / "bolt-project.yaml")) return make(directory, ProjectType::Local);
        if (old_projects && is_file(directory / "bolt.yaml")) return make(directory, ProjectType::Local);
        if (directory == directory.root_path() || !directory.has_parent_path()) return default_project(surroundings);
        directory = directory.parent_path();
    }
}

void require_folder(const fs::path& path) {
    if (is_folder(path)) return;
    std::error_code ignored;
    const bool other = fs::exists(path, ignored);
    throw Error("bolt/project-error",
                "Could not find project at " + path.string() + (other ? ": it is not a directory" : ""));
}

Project chosen(const Surroundings& surroundings, const std::string& option) {
    fs::path path = expand_path(option, surroundings.working_directory);
    if (is_folder(path / "Boltdir")) path /= "Boltdir";
    require_folder(path);
    return make(path, ProjectType::Option);
}

}  // namespace

Surroundings Surroundings::of_process() {
    Surroundings surroundings;
    std::error_code failed;
    surroundings.working_directory = fs::current_path(failed);
    if (failed) throw Error("bolt/file-error", "The current directory cannot be read: " + failed.message());
    surroundings.home = home_directory();
    surroundings.system_config = "/etc/puppetlabs/bolt";
    surroundings.environment = [](std::string_view name) -> std::optional<std::string> {
        const char* value = std::getenv(std::string(name).c_str());
        return value == nullptr ? std::nullopt : std::optional<std::string>(value);
    };
    surroundings.standard_input_is_terminal = ::isatty(STDIN_FILENO) == 1;
    surroundings.ask_secret = prompt_without_echo;
    return surroundings;
}

Project find_project(const Surroundings& surroundings, const std::optional<std::string>& option,
                     bool old_projects) {
    if (const auto text = surroundings.environment("BOLT_PROJECT")) {
        const fs::path path = expand_path(*text, surroundings.working_directory);
        require_folder(path);
        return make(path, ProjectType::Environment);
    }
    return option ? chosen(surroundings, *option) : discover(surroundings, old_projects);
}

}  // namespace volley::inventory
