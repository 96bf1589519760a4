#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "support/files.hpp"
#include "support/text.hpp"
#include "tasks/library.hpp"

namespace volley::tasks {

/// A modulepath of its own that goes away with the test.
class ModuleFolder {
public:
    ModuleFolder() { std::filesystem::create_directories(path_); }
    ~ModuleFolder() { std::filesystem::remove_all(path_); }
    ModuleFolder(const ModuleFolder&) = delete;
    ModuleFolder& operator=(const ModuleFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    void put(const std::string& file, std::string_view content = "") const {
        std::filesystem::create_directories((path_ / file).parent_path());
        write_file_atomically(path_ / file, content);
    }
    /// A library whose modulepath is `modules` below this folder.
    Library library() const { return Library(config(), {}); }
    inventory::Config config() const {
        inventory::Config made;
        made.project.path = path_;
        made.modulepath = {path_ / "modules"};
        return made;
    }

private:
    std::filesystem::path path_ = std::filesystem::temp_directory_path() / ("volley-test-" + random_uuid());
};

/// What the call throws: its kind and message, "" when nothing.
struct Thrown {
    std::string kind, msg, original_kind;
};
Thrown thrown_by_find(const Library& library, std::string_view task);

}  // namespace volley::tasks
