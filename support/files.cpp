#include "support/files.hpp"

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "support/error.hpp"
#include "support/text.hpp"
#include "support/unique_fd.hpp"

namespace volley {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& message) {
    throw Error("bolt/file-error", message, Json{{"path", path.string()}});
}

void write_all(int fd, std::string_view content, const std::filesystem::path& path) {
    while (!content.empty()) {
        const ssize_t n = ::write(fd, content.data(), content.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) fail(path, "Cannot write " + path.string() + ": " + std::strerror(errno));
        content.remove_prefix(static_cast<std::size_t>(n));
    }
}

std::filesystem::path home_of(const std::string& user) {
    const passwd* entry = getpwnam(user.c_str());
    return entry == nullptr ? std::filesystem::path() : std::filesystem::path(entry->pw_dir);
}

/// What goes on for ever (/dev/zero, a pipe) must end in an error and not in all the memory.
constexpr std::size_t largest_file = 1024UL * 1024 * 1024;

}  // namespace

std::string read_file(const std::filesystem::path& path, std::string_view what) {
    const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    const auto reason = [&] {
        fail(path,
             "Cannot read the " + std::string(what) + " " + path.string() + ": " + std::strerror(errno));
    };
    if (!fd) reason();
    std::string content;
    struct stat info {};
    if (::fstat(fd.get(), &info) == 0 && info.st_size > 0 &&
        static_cast<std::size_t>(info.st_size) <= largest_file)
        content.reserve(static_cast<std::size_t>(info.st_size));
    std::array<char, 65536> buffer;  // not cleared: that would cost more than to read a small file
    while (true) {
        const ssize_t n = ::read(fd.get(), buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) reason();
        if (n == 0) return content;
        if (content.size() + static_cast<std::size_t>(n) > largest_file) {
            fail(path, "The " + std::string(what) + " " + path.string() + " is larger than " +
                           std::to_string(largest_file >> 20) + " MiB, which is the limit");
        }
        content.append(buffer.data(), static_cast<std::size_t>(n));
    }
}

void write_file_atomically(const std::filesystem::path& path, std::string_view content, unsigned mode) {
    std::string temporary = path.string() + "." + random_uuid();
    const UniqueFd fd(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (!fd) fail(path, "Cannot write " + path.string() + ": " + std::strerror(errno));
    try {
        write_all(fd.get(), content, path);
        if (::rename(temporary.c_str(), path.c_str()) != 0) {
            fail(path, "Cannot write " + path.string() + ": " + std::strerror(errno));
        }
    } catch (...) {
        ::unlink(temporary.c_str());
        throw;
    }
}

std::filesystem::path join_inside(const std::filesystem::path& base, std::string_view relative) {
    const std::filesystem::path part(relative);
    bool inside = !part.is_absolute() && relative.find('\0') == std::string_view::npos;
    for (const auto& component : part) inside = inside && component != "..";
    if (!inside) {
        throw Error("bolt/path-traversal",
                    "The path '" + std::string(relative) + "' leaves the directory " + base.string(),
                    Json{{"path", std::string(relative)}});
    }
    return base / part;
}

std::filesystem::path expand_path(std::string_view path, const std::filesystem::path& base) {
    std::filesystem::path expanded(path);
    if (!path.empty() && path.front() == '~') {
        const std::size_t slash = path.find('/');
        const std::string user(path.substr(1, slash == std::string_view::npos ? slash : slash - 1));
        const std::filesystem::path home = user.empty() ? home_directory() : home_of(user);
        if (!home.empty()) {
            expanded = slash == std::string_view::npos ? home : home / path.substr(slash + 1);
        }
    }
    if (expanded.is_relative()) expanded = base / expanded;
    expanded = expanded.lexically_normal();
    return expanded.has_filename() || expanded == expanded.root_path() ? expanded : expanded.parent_path();
}

std::filesystem::path home_directory() {
    if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') return home;
    const passwd* entry = getpwuid(geteuid());
    return entry == nullptr ? std::filesystem::path() : std::filesystem::path(entry->pw_dir);
}

std::string login_name() {
    const passwd* entry = getpwuid(geteuid());
    return entry == nullptr ? std::string() : std::string(entry->pw_name);
}

}  // namespace volley
