#include "planner/journal/project_key.hpp"

#include <fcntl.h>
#include <openssl/rand.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <system_error>

#include "planner/journal/own_file.hpp"
#include "support/crypto/digest.hpp"
#include "support/error.hpp"
#include "support/text.hpp"
#include "support/unique_fd.hpp"

namespace volley::planner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t key_bytes = 32;

[[noreturn]] void key_error(const fs::path& file, const std::string& problem) {
    throw Error("bolt/file-error", "The key of the project's records, " + file.string() + ", " + problem,
                Json{{"path", file.string()}});
}

bool is_mine(const fs::path& folder) {
    struct stat found {};
    return ::stat(folder.c_str(), &found) == 0 && found.st_uid == ::geteuid() &&
           ::access(folder.c_str(), W_OK) == 0;
}

/// Where the key is kept: with the project, so that it moves with it, unless the project is somebody else's.
fs::path key_folder(const fs::path& project, const fs::path& home) {
    if (is_mine(project) || home.empty()) return project / ".volley";
    return home / ".local/state/volley" / sha256_hex(project.string()).substr(0, 16);
}

void make_key_folder(const fs::path& folder) {
    std::error_code problem;
    fs::create_directories(folder.parent_path(), problem);
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
        const std::string reason = std::strerror(errno);
        key_error(folder / "journal.key", "cannot be made: " + reason);
    }
    struct stat found {};
    if (::lstat(folder.c_str(), &found) != 0 || !S_ISDIR(found.st_mode) || found.st_uid != ::geteuid()) {
        key_error(folder / "journal.key", "is not used: its folder does not belong to you");
    }
    // The key must not travel with the project's files into a repository.
    const UniqueFd ignore(
        ::open((folder / ".gitignore").c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (ignore) [[maybe_unused]]
        const ssize_t written = ::write(ignore.get(), "*\n", 2);
}

/// Made under another name first: two runs that begin at once agree on the one that was there first.
void make_key(const fs::path& file) {
    std::array<unsigned char, key_bytes> secret{};
    if (::RAND_bytes(secret.data(), static_cast<int>(secret.size())) != 1) key_error(file, "cannot be made");
    const fs::path begun = file.string() + "." + random_uuid();
    UniqueFd fd(::open(begun.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!fd) key_error(file, "cannot be made: " + std::string(std::strerror(errno)));
    const bool whole =
        ::write(fd.get(), secret.data(), secret.size()) == static_cast<ssize_t>(secret.size()) &&
        ::fsync(fd.get()) == 0;
    const int reason = errno;
    const bool linked = whole && (::link(begun.c_str(), file.c_str()) == 0 || errno == EEXIST);
    const int link_reason = whole ? errno : reason;
    ::unlink(begun.c_str());
    if (!linked) key_error(file, "cannot be made: " + std::string(std::strerror(link_reason)));
}

}  // namespace

ProjectKey::ProjectKey(std::string secret) : secret_(std::move(secret)) {}

ProjectKey ProjectKey::of_project(const fs::path& project, const fs::path& home) {
    const fs::path folder = key_folder(project, home);
    const fs::path file = folder / "journal.key";
    UniqueFd fd = open_own_file(file, OwnFile::Secret, "key of the project's records");
    if (!fd) {
        make_key_folder(folder);
        make_key(file);
        fd = open_own_file(file, OwnFile::Secret, "key of the project's records");
    }
    std::array<char, key_bytes + 1> secret{};
    const ssize_t size = fd ? ::read(fd.get(), secret.data(), secret.size()) : -1;
    if (size != static_cast<ssize_t>(key_bytes)) {
        key_error(file, "is not 32 bytes long; remove it, then records made with it cannot be resumed");
    }
    return ProjectKey(std::string(secret.data(), key_bytes));
}

std::string ProjectKey::seal(std::string_view bytes) const { return hex_text(hmac_sha256(secret_, bytes)); }

std::string ProjectKey::seal(const std::vector<std::string>& parts) const {
    std::string all;
    for (const std::string& part : parts) all += std::to_string(part.size()) + ":" + part;
    return seal(all);
}

}  // namespace volley::planner
