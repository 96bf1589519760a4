#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "support/unique_fd.hpp"

namespace volley {

/// What a file of the user's own is opened for.
enum class FileUse {
    Read,     ///< nobody else may have put it there or be able to change it
    Change,   ///< the same, and it has no second name
    Replace,  ///< it is the user's; another file takes its place
    Secret,   ///< nobody else may be able to read it either
};

/// Opens a file that is trusted: a regular file of this user (to read, root's will do), not reached through a
/// symbolic link of somebody else, and not one that others can write. Empty when there is none. Throws Error
/// bolt/file-error, which calls it `what` ("plan log"), for every other reason.
UniqueFd open_private_file(const std::filesystem::path& path, FileUse use, std::string_view what);

/// The file at that path is still the open one.
bool is_same_file(const UniqueFd& fd, const std::filesystem::path& path) noexcept;
bool is_same_file(const UniqueFd& one, const UniqueFd& other) noexcept;

/// All of an open file. Throws Error bolt/file-error.
std::string read_open_file(const UniqueFd& fd, const std::filesystem::path& path, std::string_view what);

}  // namespace volley
