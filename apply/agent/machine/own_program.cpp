#include "apply/agent/machine/own_program.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <cstdio>

#include "apply/agent/machine/files.hpp"

namespace volley::agent {
namespace {

constexpr std::time_t settles_after = 3;  // seconds; some file systems count in steps of two

/// Empty when it is not there, or changed just now.
std::string stamp_of(const std::string& path, std::time_t now) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0 || now - status.st_ctime < settles_after) return {};
    char line[160];
    const int size = std::snprintf(
        line, sizeof line, "%llu:%llu:%x:%llu:%lld:%lld", static_cast<unsigned long long>(status.st_dev),
        static_cast<unsigned long long>(status.st_ino), static_cast<unsigned>(status.st_mode),
        static_cast<unsigned long long>(status.st_uid), static_cast<long long>(status.st_ctime),
        static_cast<long long>(status.st_size));
    return {line, static_cast<std::size_t>(size)};
}

}  // namespace

std::string own_program() {
    char path[PATH_MAX];
    const ssize_t size = ::readlink("/proc/self/exe", path, sizeof path);
    return size > 0 ? std::string(path, static_cast<std::size_t>(size)) : std::string();
}

std::string program_stamp(const std::string& file, std::time_t now) {
    if (!file.starts_with('/')) return {};
    const std::string folder = stamp_of(parent_of(file), now);
    const std::string own = stamp_of(file, now);
    return folder.empty() || own.empty() ? std::string() : folder + "\n" + own;
}

}  // namespace volley::agent
