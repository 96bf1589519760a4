#include "inventory/project/project_trust.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "support/error.hpp"

namespace volley::inventory {
namespace {

namespace fs = std::filesystem;

/// What a project may have that is read as code or configuration. Modules are checked when one is used.
constexpr std::string_view project_files[] = {
    "bolt-project.yaml", "inventory.yaml", "hiera.yaml", "Puppetfile", ".rerun.json", ".plugin_cache.json",
    "modules",           ".modules",       "files",      "data",       "hieradata"};
constexpr std::string_view project_folders[] = {"plans", "tasks",     "functions", "types",
                                                "lib",   "templates", "manifests", ".resource_types"};
constexpr uid_t overflow_user = 65534;

std::string user_text(uid_t id) {
    std::array<char, 4096> buffer{};
    passwd entry{};
    passwd* found = nullptr;
    if (::getpwuid_r(id, &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr)
        return fmt::format("the user {}", found->pw_name);
    return fmt::format("the user with the id {}", id);
}

bool is_named(const Project& project) {
    return project.type == ProjectType::Environment || project.type == ProjectType::Option;
}

/// In a user namespace that maps only some users, a folder of the machine's root seems to be nobody's.
bool owner_may_be_unmapped(uid_t owner) {
    if (owner != overflow_user) return false;
    std::ifstream map("/proc/self/uid_map");
    unsigned long inside = 0, outside = 0, count = 0;
    return (map >> inside >> outside >> count) && count < 0xffffffffUL;
}

[[noreturn]] void refuse_owner(const fs::path& path, uid_t owner) {
    throw Error(
        "bolt/project-owner-error",
        fmt::format(
            "'{}' belongs to {}, neither to you nor to root, and a project decides what runs as you. If "
            "you trust it, name the project with --project or BOLT_PROJECT",
            path.string(), user_text(owner)),
        Json{{"path", path.string()}});
}

[[noreturn]] void refuse_writable(const fs::path& path) {
    throw Error(
        "bolt/world-writable-error",
        fmt::format(
            "'{}' can be written by everybody, so anybody could make you run anything. Take the "
            "permission away (chmod o-w), or set BOLT_PROJECT to the project's path to use it all the same.",
            path.string()),
        Json{{"path", path.string()}});
}

/// A file or folder that is obeyed.
void check_obeyed(const Project& project, const fs::path& path) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) return;
    const bool own = info.st_uid == 0 || info.st_uid == ::geteuid();
    if (!own && !is_named(project)) refuse_owner(path, info.st_uid);
    const bool can_hold = S_ISREG(info.st_mode) || S_ISDIR(info.st_mode);
    if (can_hold && (info.st_mode & S_IWOTH) != 0) refuse_writable(path);
}

/// A folder above the project: who can write there can put another project in its place.
void check_folders_above(const fs::path& start) {
    for (fs::path folder = start; folder.has_relative_path();) {
        folder = folder.parent_path();
        struct stat info {};
        if (::stat(folder.c_str(), &info) != 0) continue;
        const bool own = info.st_uid == 0 || info.st_uid == ::geteuid() || owner_may_be_unmapped(info.st_uid);
        if (!own) refuse_owner(folder, info.st_uid);
        const bool entries_stay = (info.st_mode & S_ISVTX) != 0;
        if ((info.st_mode & S_IWOTH) != 0 && !entries_stay) refuse_writable(folder);
    }
}

/// The link's own owner chose where it leads.
void check_link(const fs::path& path) {
    struct stat info {};
    if (::lstat(path.c_str(), &info) != 0 || !S_ISLNK(info.st_mode)) return;
    if (info.st_uid != 0 && info.st_uid != ::geteuid()) refuse_owner(path, info.st_uid);
}

void check_tree(const Project& project, const fs::path& path) {
    check_obeyed(project, path);
    std::error_code failed;
    if (!fs::is_directory(path, failed)) return;
    const auto options = fs::directory_options::skip_permission_denied;
    fs::recursive_directory_iterator at(path, options, failed);
    for (; !failed && at != fs::recursive_directory_iterator(); at.increment(failed)) {
        const fs::path name = at->path().filename();
        const bool never_read = name == ".git" || name == "spec" || name == "examples";
        if (never_read) at.disable_recursion_pending();
        check_obeyed(project, at->path());
    }
}

bool is_below(const fs::path& path, const fs::path& folder) {
    const fs::path relative = path.lexically_normal().lexically_relative(folder.lexically_normal());
    return !relative.empty() && *relative.begin() != "..";
}

/// The user's and the system's project are always there; without content there is nothing to obey.
bool has_content(const Project& project) {
    const auto exists = [&project](std::string_view name) {
        std::error_code ignored;
        return fs::exists(project.path / name, ignored);
    };
    return std::ranges::any_of(project_files, exists) || std::ranges::any_of(project_folders, exists);
}

}  // namespace

void check_project_trust(const Project& project) {
    if (project.type == ProjectType::Environment) return;
    const bool found = project.type == ProjectType::Embedded || project.type == ProjectType::Local;
    if (!found && !is_named(project) && !has_content(project)) return;
    if (!is_named(project)) {
        check_link(project.path);
        check_folders_above(project.path);
        std::error_code failed;
        const fs::path real = fs::canonical(project.path, failed);
        if (!failed && real != project.path) check_folders_above(real);
    }
    check_obeyed(project, project.path);
    for (const std::string_view name : project_files) check_obeyed(project, project.path / name);
    for (const std::string_view name : project_folders) check_tree(project, project.path / name);
}

void check_path_trust(const Project& project, const fs::path& path) {
    if (project.type != ProjectType::Environment && is_below(path, project.path)) check_obeyed(project, path);
}

void check_content_trust(const Project& project, const fs::path& path) {
    if (project.type == ProjectType::Environment || !is_below(path, project.path)) return;
    check_tree(project, path);
}

}  // namespace volley::inventory
