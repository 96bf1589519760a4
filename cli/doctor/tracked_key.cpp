#include "cli/doctor/tracked_key.hpp"

#include <nlohmann/json.hpp>
#include <system_error>

#include "support/error.hpp"
#include "support/files.hpp"
#include "support/log.hpp"
#include "support/process/child_process.hpp"
#include "support/text.hpp"

namespace volley::cli {

namespace fs = std::filesystem;

bool is_tracked(const fs::path& file) {
    std::error_code ignored;
    bool in_repository = false;
    for (fs::path folder = file.parent_path(); !in_repository; folder = folder.parent_path()) {
        in_repository = fs::exists(folder / ".git", ignored);
        if (folder == folder.parent_path()) break;
    }
    if (!in_repository || find_program("git").empty()) return false;
    try {
        ChildProcess git(
            {.argv = {"git", "-c", "core.fsmonitor=false", "ls-files", "-z", "--", file.filename().string()},
             .directory = file.parent_path().string(),
             .merge_errors = true});
        git.close_input();
        std::string said;
        while (git.read(said)) {
        }
        return git.wait() == 0 && !said.empty();
    } catch (const Error&) {
        return false;
    }
}

void warn_of_tracked_key(const Session& session, const std::string& plugin) {
    if (plugin != "pkcs7") return;  // others have no key of the project
    const inventory::Config& config = session.config();
    std::string name = "keys/private_key.pkcs7.pem";
    if (const auto own = config.plugins->find(plugin); own != config.plugins->end() && own->is_object()) {
        const auto chosen = own->find("private_key");
        if (chosen != own->end() && chosen->is_string()) name = chosen->get<std::string>();
    }
    const fs::path key = expand_path(name, config.project.path);
    if (!is_tracked(key)) return;
    log_warning_once(
        "tracked_private_key", "cli",
        "git tracks the private key " + key.string() + ": run 'git rm --cached " + shell_quote(key.string()) +
            "', add it to .gitignore, and make new keys with 'volley secret createkeys --force'");
}

}  // namespace volley::cli
