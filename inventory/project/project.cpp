#include "inventory/project/project.hpp"

#include <unistd.h>

#include <cstdlib>
#include <system_error>

#include "inventory/project/project_trust.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/log.hpp"
#include "support/paths/file_checks.hpp"
#include "support/terminal.hpp"

namespace volley::inventory {
namespace {

namespace fs = std::filesystem;

Project make(const fs::path& path, ProjectType type) {
    Project project;
    project.path = path;
    project.type = type;
    check_project_trust(project);
    return project;
}

Project default_project(const ProcessContext& process) {
    if (process.home.empty()) return make(process.system_config, ProjectType::System);
    const fs::path path = process.home / ".puppetlabs" / "bolt";
    std::error_code failed;
    fs::create_directories(path, failed);
    if (failed) {
        log_warning("non_writeable_project", "project",
                    "Could not create default project at " + path.string() + " (" + failed.message() +
                        "). Log and rerun files will not be written.");
    }
    return make(path, ProjectType::User);
}

Project discover(const ProcessContext& process, bool old_projects) {
    fs::path directory = process.working_directory;
    while (true) {
        if (is_folder(directory / "Boltdir")) return make(directory / "Boltdir", ProjectType::Embedded);
        if (is_plain_file(directory / "bolt-project.yaml")) return make(directory, ProjectType::Local);
        if (old_projects && is_plain_file(directory / "bolt.yaml"))
            return make(directory, ProjectType::Local);
        if (directory == directory.root_path() || !directory.has_parent_path())
            return default_project(process);
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

Project chosen(const ProcessContext& process, const std::string& option) {
    fs::path path = expand_path(option, process.working_directory);
    if (is_folder(path / "Boltdir")) path /= "Boltdir";
    require_folder(path);
    return make(path, ProjectType::Option);
}

}  // namespace

ProcessContext ProcessContext::of_process() {
    ProcessContext process;
    std::error_code failed;
    process.working_directory = fs::current_path(failed);
    if (failed)
        throw Error("bolt/file-error", "The current directory cannot be read: " + failed.message() +
                                           "; change to one that exists");
    process.home = home_directory();
    process.system_config = "/etc/puppetlabs/bolt";
    process.environment = [](std::string_view name) -> std::optional<std::string> {
        const char* value = std::getenv(std::string(name).c_str());
        return value == nullptr ? std::nullopt : std::optional<std::string>(value);
    };
    process.standard_input_is_terminal = ::isatty(STDIN_FILENO) == 1;
    process.ask_secret = prompt_without_echo;
    return process;
}

Project find_project(const ProcessContext& process, const std::optional<std::string>& option,
                     bool old_projects) {
    if (const auto text = process.environment("BOLT_PROJECT")) {
        const fs::path path = expand_path(*text, process.working_directory);
        require_folder(path);
        return make(path, ProjectType::Environment);
    }
    return option ? chosen(process, *option) : discover(process, old_projects);
}

}  // namespace volley::inventory
