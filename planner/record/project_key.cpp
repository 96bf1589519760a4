#include "planner/record/project_key.hpp"

#include <fcntl.h>
#include <openssl/rand.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <system_error>

#include "journal/state_folder.hpp"
#include "support/error.hpp"
#include "support/files/private_file.hpp"
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

ProjectKey::ProjectKey(std::string_view secret) : hmac_(secret) {}

ProjectKey ProjectKey::of_project(const fs::path& project, const fs::path& home) {
    const fs::path folder = journal::state_folder(project, home);
    const fs::path file = folder / "journal.key";
    UniqueFd fd = open_private_file(file, FileUse::Secret, "key of the project's records");
    if (!fd) {
        journal::make_state_folder(folder, "The key of the project's records, " + file.string() + ",");
        make_key(file);
        fd = open_private_file(file, FileUse::Secret, "key of the project's records");
    }
    std::array<char, key_bytes + 1> secret{};
    const ssize_t size = fd ? ::read(fd.get(), secret.data(), secret.size()) : -1;
    if (size != static_cast<ssize_t>(key_bytes)) {
        key_error(file, "is not 32 bytes long; remove it, then records made with it cannot be resumed");
    }
    return ProjectKey({secret.data(), key_bytes});
}

std::string ProjectKey::signature(std::string_view bytes) const { return hex_text(hmac_.of(bytes)); }

std::string ProjectKey::signature(const std::vector<std::string>& parts) const {
    return signature(signed_text(parts));
}

std::string signed_text(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) append_signed(text, part);
    return text;
}

void append_signed(std::string& text, std::string_view part) {
    text += std::to_string(part.size());
    text += ':';
    text += part;
}

}  // namespace volley::planner
