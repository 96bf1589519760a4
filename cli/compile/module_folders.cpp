#include "cli/compile/module_folders.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "cli/compile/json_input.hpp"
#include "support/error.hpp"
#include "support/process/child_process.hpp"

namespace volley::cli {
namespace {

namespace fs = std::filesystem;

/// The folders right below it, sorted; `problem` when they cannot be listed.
std::vector<fs::path> folders_below(const fs::path& folder, std::error_code& problem) {
    std::vector<fs::path> folders;
    fs::directory_iterator at(folder, problem);
    for (; !problem && at != fs::directory_iterator(); at.increment(problem)) {
        std::error_code ignored;
        if (at->is_directory(ignored)) folders.push_back(at->path());
    }
    std::sort(folders.begin(), folders.end());
    return folders;
}

std::string facter_program() {
    std::string program = find_program("facter");
    if (program.empty() && ::access("/opt/puppetlabs/bin/facter", X_OK) == 0)
        program = "/opt/puppetlabs/bin/facter";
    if (program.empty())
        throw Error("bolt/file-error",
                    "facter is not installed on this machine: pass facts with --facts FILE");
    return program;
}

}  // namespace

std::vector<std::string> unreadable_module_folders(const fs::path& folder) {
    std::error_code problem;
    std::vector<std::string> wrong;
    for (const fs::path& module : folders_below(folder, problem)) {
        if (::access(module.c_str(), R_OK | X_OK) != 0)
            wrong.push_back("The module " + module.string() + " cannot be read: " + std::strerror(errno));
    }
    if (problem)
        wrong.push_back("The module folder " + folder.string() + " cannot be read: " + problem.message());
    return wrong;
}

Json facts_of_this_machine(const std::vector<fs::path>& module_folders) {
    std::vector<std::string> argv{facter_program(), "--json"};
    for (const fs::path& folder : module_folders) {
        std::error_code ignored;
        for (const fs::path& module : folders_below(folder, ignored)) {
            for (const auto& [option, part] :
                 {std::pair{"--custom-dir", "lib/facter"}, {"--external-dir", "facts.d"}}) {
                if (fs::is_directory(module / part, ignored))
                    argv.insert(argv.end(), {option, (module / part).string()});
            }
        }
    }
    ChildProcess facter({.argv = std::move(argv)});
    facter.close_input();
    std::string output;
    while (facter.read(output)) {
    }
    // Compatibility: facter ends with status 1 when a single fact could not be found, and prints the others.
    const int status = facter.wait();
    if (output.empty()) throw Error("bolt/file-error", "facter failed with status " + std::to_string(status));
    return json_of_text(output, "What facter prints");
}

}  // namespace volley::cli
