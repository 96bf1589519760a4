#include <system_error>

#include "tasks/library.hpp"

namespace volley::tasks {

std::vector<std::filesystem::path> bundled_modulepath() {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (error) return {};
    const fs::path installed = program.parent_path().parent_path() / "share" / "volley" / "modules";
    if (fs::is_directory(installed, error)) return {installed};
    // A program in its build folder: the source tree is above it.
    for (fs::path folder = program.parent_path(); folder != folder.parent_path();
         folder = folder.parent_path()) {
        if (fs::exists(folder / "CMakePresets.json", error) && fs::is_directory(folder / "modules", error)) {
            return {folder / "modules"};
        }
    }
    return {};
}

}  // namespace volley::tasks
