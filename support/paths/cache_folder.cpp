#include "support/paths/cache_folder.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <system_error>

#include "support/files.hpp"

namespace volley {

namespace fs = std::filesystem;

bool is_safe_folder(const fs::path& path) {
    for (fs::path folder = path;; folder = folder.parent_path()) {
        struct stat info {};
        if (::stat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) ||
            (info.st_uid != ::geteuid() && info.st_uid != 0))
            return false;
        const bool sticky = (info.st_mode & S_ISVTX) != 0 && folder != path;
        if ((info.st_mode & S_IWOTH) != 0 && !sticky) return false;
        if (!folder.has_relative_path()) return true;
    }
}

fs::path cache_folder() {
    const char* const chosen = std::getenv("XDG_CACHE_HOME");
    fs::path folder = chosen != nullptr && *chosen == '/' ? fs::path(chosen) : home_directory() / ".cache";
    if (!folder.is_absolute()) return {};
    std::error_code failed;
    fs::create_directories(folder, failed);
    folder /= "volley";
    ::mkdir(folder.c_str(), private_folder_mode);
    return is_safe_folder(folder) ? folder : fs::path();
}

}  // namespace volley
