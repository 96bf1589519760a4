#include "support/files/private_file.hpp"

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "support/error.hpp"

namespace volley {
namespace {

std::string user_called(uid_t user) {
    std::array<char, 4096> buffer{};
    passwd entry{};
    passwd* found = nullptr;
    if (::getpwuid_r(user, &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr)
        return found->pw_name;
    return "user " + std::to_string(user);
}

bool is_trusted_owner(uid_t owner) { return owner == ::geteuid() || owner == 0; }

[[noreturn]] void refuse_file(const std::filesystem::path& path, std::string_view what,
                              const std::string& why) {
    throw Error("bolt/file-error", "The " + std::string(what) + " " + path.string() + " " + why,
                Json{{"path", path.string()}});
}

/// A folder on the way that is a link of somebody else leads where he wants.
void check_links_on_the_way(const std::filesystem::path& path, std::string_view what) {
    std::filesystem::path way;
    for (const std::filesystem::path& part : path.parent_path()) {
        way /= part;
        struct stat found {};
        if (::lstat(way.c_str(), &found) != 0 || !S_ISLNK(found.st_mode) || is_trusted_owner(found.st_uid))
            continue;
        refuse_file(path, what,
                    "is reached through the link " + way.string() + ", which belongs to " +
                        user_called(found.st_uid) + "; name the folder itself");
    }
}

std::string problem_of(const struct stat& found, FileUse use) {
    if (!S_ISREG(found.st_mode)) return "is not a regular file";
    if (found.st_uid != ::geteuid() && !(use == FileUse::Read && found.st_uid == 0)) {
        return "belongs to " + user_called(found.st_uid) + "; use a file of your own";
    }
    if (use == FileUse::Replace) return {};
    if ((found.st_mode & 022U) != 0)
        return "can be changed by other users; 'chmod go-w' it if you trust its content";
    if (use == FileUse::Secret && (found.st_mode & 077U) != 0) return "can be read by other users; remove it";
    if (use == FileUse::Change && found.st_nlink > 1)
        return "has a second name (a hard link); use another file";
    return {};
}

}  // namespace

UniqueFd open_private_file(const std::filesystem::path& path, FileUse use, std::string_view what) {
    check_links_on_the_way(path, what);
    // O_NONBLOCK: a FIFO must not hold us up before we have seen that it is one.
    const int flags =
        (use == FileUse::Change ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    UniqueFd fd(::open(path.c_str(), flags));
    if (!fd) {
        const int reason = errno;
        if (reason == ENOENT) return fd;
        if (reason == ELOOP) refuse_file(path, what, "is a symbolic link; name the file itself");
        refuse_file(path, what, "cannot be opened: " + std::string(std::strerror(reason)));
    }
    struct stat found {};
    if (::fstat(fd.get(), &found) != 0)
        refuse_file(path, what, "cannot be examined: " + std::string(std::strerror(errno)));
    if (const std::string problem = problem_of(found, use); !problem.empty())
        refuse_file(path, what, problem);
    return fd;
}

bool is_same_file(const UniqueFd& fd, const std::filesystem::path& path) noexcept {
    struct stat open {};
    struct stat named {};
    return ::fstat(fd.get(), &open) == 0 && ::lstat(path.c_str(), &named) == 0 &&
           open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

bool is_same_file(const UniqueFd& one, const UniqueFd& other) noexcept {
    struct stat first {};
    struct stat second {};
    return ::fstat(one.get(), &first) == 0 && ::fstat(other.get(), &second) == 0 &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

std::string read_open_file(const UniqueFd& fd, const std::filesystem::path& path, std::string_view what) {
    std::string text;
    std::array<char, 65536> piece{};
    while (true) {
        const ssize_t got = ::pread(fd.get(), piece.data(), piece.size(), static_cast<off_t>(text.size()));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) refuse_file(path, what, "cannot be read: " + std::string(std::strerror(errno)));
        if (got == 0) return text;
        text.append(piece.data(), static_cast<std::size_t>(got));
    }
}

}  // namespace volley
