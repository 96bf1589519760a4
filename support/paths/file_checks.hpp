#pragma once

#include <filesystem>

/// Questions about paths where "it cannot be said" is "no": a folder above it that may not be read, say.
namespace volley {

inline bool path_exists(const std::filesystem::path& path) noexcept {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
}

/// Links are followed.
inline bool is_folder(const std::filesystem::path& path) noexcept {
    std::error_code ignored;
    return std::filesystem::is_directory(path, ignored);
}

/// Links are followed.
inline bool is_plain_file(const std::filesystem::path& path) noexcept {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored);
}

}  // namespace volley
