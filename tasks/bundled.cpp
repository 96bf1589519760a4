#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "support/error.hpp"
#include "support/files.hpp"
#include "support/files/temporary_folder.hpp"
#include "support/paths/cache_folder.hpp"
#include "support/text.hpp"
#include "tasks/library.hpp"

namespace volley::tasks {
namespace {

namespace fs = std::filesystem;

struct BundledFile {
    std::string_view path;  ///< MODULE/FOLDER/NAME
    std::string_view text;
};

constexpr BundledFile bundled_files[] = {
#include "tasks/bundled_files.inc"
};
constexpr std::string_view bundled_digest =
#include "tasks/bundled_files.inc.digest"
    ;

bool belongs_to_us(const struct stat& info) { return info.st_uid == ::geteuid() || info.st_uid == 0; }

/// Somebody who tidies up caches may have taken a part.
bool is_complete(const fs::path& folder) {
    return std::ranges::all_of(bundled_files, [&folder](const BundledFile& file) {
        struct stat info {};
        return ::lstat((folder / file.path).c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
               belongs_to_us(info) && (info.st_mode & (S_IWOTH | S_IWGRP)) == 0 &&
               static_cast<std::size_t>(info.st_size) == file.text.size();
    });
}

void write_bundled_files(const fs::path& folder) {
    for (const BundledFile& file : bundled_files) {
        const fs::path path = folder / file.path;
        fs::create_directories(path.parent_path());
        write_file_atomically(path, file.text, file.text.starts_with("#!") ? 0755 : 0644);
    }
}

/// ~/.cache/volley/modules-DIGEST, complete; empty where that cannot be.
fs::path cached_folder() {
    const fs::path base = cache_folder();
    if (base.empty()) return {};
    fs::path folder = base / ("modules-" + std::string(bundled_digest));
    if (is_safe_folder(folder) && is_complete(folder)) return folder;
    const fs::path made = base / ("new-" + random_uuid());
    if (::mkdir(made.c_str(), private_folder_mode) != 0) return {};
    std::error_code failed;
    try {
        write_bundled_files(made);
    } catch (const std::exception&) {  // a full disk, for one
        fs::remove_all(made, failed);
        return {};
    }
    // Another run may have been quicker, or what was there is incomplete.
    fs::rename(made, folder, failed);
    if (failed && !(is_safe_folder(folder) && is_complete(folder))) {
        fs::remove_all(folder, failed);
        fs::rename(made, folder, failed);
    }
    std::error_code ignored;
    fs::remove_all(made, ignored);
    return is_safe_folder(folder) && is_complete(folder) ? folder : fs::path();
}

/// Goes away with the process.
class TemporaryModules {
public:
    TemporaryModules() { write_bundled_files(folder_.path()); }
    const fs::path& folder() const { return folder_.path(); }

private:
    static TemporaryFolder make_folder() {
        try {
            return TemporaryFolder("volley-modules-");
        } catch (const Error&) {
            throw Error("bolt/file-error",
                        "The modules that are part of the program can be written neither into the "
                        "cache directory (XDG_CACHE_HOME, ~/.cache) nor below " +
                            temporary_files_folder().string());
        }
    }

    TemporaryFolder folder_ = make_folder();
};

fs::path unpacked_folder() {
    fs::path cached = cached_folder();
    if (!cached.empty()) return cached;
    static const TemporaryModules temporary;
    return temporary.folder();
}

}  // namespace

fs::path bundled_modules_folder() {
    static const fs::path folder = unpacked_folder();
    return folder;
}

LastModules bundled_modules() {
    const auto has = [](std::string_view name) {
        return std::ranges::any_of(bundled_files, [name](const BundledFile& file) {
            return file.path.size() > name.size() && file.path.starts_with(name) &&
                   file.path[name.size()] == '/';
        });
    };
    const auto folders = [] { return std::vector<fs::path>{bundled_modules_folder()}; };
    return {has, folders};
}

std::shared_ptr<TaskDefinition> make_built_in_task(std::string_view module_name, std::string_view name,
                                                   const std::vector<BuiltInProgram>& programs) {
    auto task = std::make_shared<TaskDefinition>();
    task->name = name;
    task->module_name = module_name;
    task->built_in = true;
    for (const BuiltInProgram& program : programs) {
        Implementation implementation;
        implementation.name = program.path.filename().string();
        implementation.path = program.path;
        implementation.requirements = {program.requirement};
        for (const std::string& file : program.files) {
            const std::string named = fmt::format("{}/files/{}", module_name, file);
            implementation.files.push_back(named);
            task->extra_files[named] = {{bundled_modules_folder() / named, named}};
        }
        for (const bool remote : {false, true}) {
            implementation.remote = remote;
            task->implementations.push_back(implementation);
        }
    }
    return task;
}

}  // namespace volley::tasks
