#pragma once

#include <filesystem>
#include <string_view>

namespace volley::modules {

/// A new folder that only its owner may enter; goes away with the object, and everything in it.
class ScratchFolder {
public:
    /// Below `parent`, with a name that begins with `prefix`. Throws Error bolt/file-error.
    ScratchFolder(const std::filesystem::path& parent, std::string_view prefix);
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    const std::filesystem::path& path() const noexcept { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace volley::modules
