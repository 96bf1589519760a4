#include "tasks/extra_files.hpp"

#include <algorithm>
#include <array>
#include <system_error>

#include "support/text.hpp"
#include "tasks/errors.hpp"

namespace volley::tasks {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view invalid_metadata = "puppet.tasks/invalid-metadata";
constexpr std::array<std::string_view, 4> mounts{"files", "lib", "scripts", "tasks"};

/// "module/mount/path" in its parts.
struct Reference {
    std::string module_name, mount, path;
};

Reference split_reference(const std::string& entry) {
    const std::size_t first = entry.find('/');
    if (first == std::string::npos) return {entry, "", ""};
    const std::size_t second = entry.find('/', first + 1);
    if (second == std::string::npos) return {entry.substr(0, first), entry.substr(first + 1), ""};
    return {entry.substr(0, first), entry.substr(first + 1, second - first - 1), entry.substr(second + 1)};
}

/// No "..", ".", or empty step: what is sent is what the entry says.
bool is_straight(std::string_view path) {
    if (!path.empty() && path.back() == '/') path.remove_suffix(1);
    if (path.empty()) return true;
    const std::vector<std::string> steps = split(path, '/');
    return std::none_of(steps.begin(), steps.end(),
                        [](const std::string& step) { return step.empty() || step == "." || step == ".."; });
}

bool is_hidden(const fs::path& path) { return path.filename().string().substr(0, 1) == "."; }

std::vector<fs::path> plain_files_below(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    auto entry = fs::recursive_directory_iterator(folder, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        if (is_hidden(entry->path())) {
            entry.disable_recursion_pending();
            continue;
        }
        std::error_code ignored;
        if (entry->is_regular_file(ignored)) files.push_back(entry->path());
    }
    if (error) {
        throw load_error("puppet.tasks/invalid-file",
                         "Could not read " + folder.string() + ": " + error.message(), folder);
    }
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

std::vector<transports::PlacedFile> find_extra_files(const std::string& entry, const Library& library,
                                                     const fs::path& metadata_file) {
    const Reference reference = split_reference(entry);
    const auto fail = [&](const std::string& msg) { throw load_error(invalid_metadata, msg, metadata_file); };
    const Module* module = library.find_module(reference.module_name);
    if (module == nullptr) {
        fail("Could not find module " + reference.module_name + " containing task file " + reference.path);
    }
    if (std::find(mounts.begin(), mounts.end(), reference.mount) == mounts.end()) {
        fail(
            "Files must be saved in module directories that Puppet makes available via mount points: "
            "files, lib, scripts, tasks");
    }
    if (!is_straight(reference.path)) fail("File pathnames cannot include relative paths");

    // Without its slash, so that a slash after a plain file gets its own message.
    const bool slash = entry.back() == '/';
    std::string below = reference.path;
    if (slash && !below.empty()) below.pop_back();
    const fs::path path = module->path / reference.mount / below;
    std::error_code error;
    if (!fs::exists(path, error)) {
        throw load_error("puppet.tasks/invalid-file", "Could not find " + path.string() + " on disk",
                         metadata_file);
    }
    if (!fs::is_directory(path, error)) {
        if (slash) fail("Files specified in task metadata cannot include a trailing slash: " + entry);
        return {transports::PlacedFile{path, entry}};
    }
    if (!slash) fail("Directories specified in task metadata must include a trailing slash: " + entry);
    std::vector<transports::PlacedFile> files;
    for (const fs::path& file : plain_files_below(path)) {
        files.push_back(transports::PlacedFile{file, entry + file.lexically_relative(path).string()});
    }
    return files;
}

}  // namespace volley::tasks
