#include <cstdlib>

#include "language/lookup/data/data_files.hpp"
#include "language/lookup/data/glob.hpp"
#include "support/files.hpp"

namespace volley::lookup {

std::optional<FileStamp> DiskFiles::stamp(const std::string& path) {
    const FileStamp stamp = FileStamp::of(path);
    return stamp.exists() ? std::optional(stamp) : std::nullopt;
}

std::string DiskFiles::read(const std::string& path) { return read_file(path, "data file"); }

std::vector<std::string> DiskFiles::glob(const std::string& pattern) { return glob_paths(pattern); }

std::optional<std::string> DiskFiles::environment_variable(const std::string& name) {
    const char* value = std::getenv(name.c_str());
    return value ? std::optional<std::string>(value) : std::nullopt;
}

}  // namespace volley::lookup
