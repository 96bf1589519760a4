#include <sys/stat.h>

#include <cstdlib>

#include "language/lookup/data_files.hpp"
#include "language/lookup/glob.hpp"
#include "support/files.hpp"

namespace volley::lookup {

std::optional<FileStamp> DiskFiles::stamp(const std::string& path) {
    struct stat found {};
    if (::stat(path.c_str(), &found) != 0) return std::nullopt;
    FileStamp stamp;
    stamp.inode = found.st_ino;
    stamp.size = static_cast<std::uint64_t>(found.st_size);
    stamp.changed = std::int64_t{found.st_mtim.tv_sec} * 1'000'000'000 + found.st_mtim.tv_nsec;
    stamp.directory = S_ISDIR(found.st_mode);
    return stamp;
}

std::string DiskFiles::read(const std::string& path) { return read_file(path, "data file"); }

std::vector<std::string> DiskFiles::glob(const std::string& pattern) { return glob_paths(pattern); }

std::optional<std::string> DiskFiles::environment_variable(const std::string& name) {
    const char* value = std::getenv(name.c_str());
    return value ? std::optional<std::string>(value) : std::nullopt;
}

}  // namespace volley::lookup
