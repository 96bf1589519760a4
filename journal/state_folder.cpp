#include "journal/state_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <system_error>

#include "support/crypto/digest.hpp"
#include "support/error.hpp"
#include "support/text.hpp"
#include "support/unique_fd.hpp"

namespace volley::journal {
namespace {

namespace fs = std::filesystem;

bool is_mine(const fs::path& folder) {
    struct stat found {};
    return ::stat(folder.c_str(), &found) == 0 && found.st_uid == ::geteuid() &&
           ::access(folder.c_str(), W_OK) == 0;
}

}  // namespace

fs::path state_folder(const fs::path& project, const fs::path& home) {
    if (is_mine(project) || home.empty()) return project / ".volley";
    return home / ".local/state/volley" / sha256_hex(project.string()).substr(0, 16);
}

void make_state_folder(const fs::path& folder, const std::string& what) {
    const auto fail = [&](const std::string& problem) {
        throw Error("bolt/file-error", what + " " + problem, Json{{"path", folder.string()}});
    };
    std::error_code ignored;
    fs::create_directories(folder.parent_path(), ignored);
    const bool made = ::mkdir(folder.c_str(), 0700) == 0;
    if (!made && errno != EEXIST) fail("cannot be made: " + std::string(std::strerror(errno)));
    struct stat found {};
    if (::lstat(folder.c_str(), &found) != 0 || !S_ISDIR(found.st_mode) || found.st_uid != ::geteuid())
        fail("is not used: its folder does not belong to you");
    if (!made) return;
    const UniqueFd ignore(
        ::open((folder / ".gitignore").c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (ignore) [[maybe_unused]]
        const ssize_t written = ::write(ignore.get(), "*\n", 2);
}

}  // namespace volley::journal
