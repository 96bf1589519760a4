#pragma once

#include <filesystem>
#include <string>

namespace volley::journal {

/// Where a project keeps what must not leave this machine: `.volley` in it, so that it moves with it, unless
/// the project is somebody else's or cannot be written; then a folder below ~/.local/state/volley.
std::filesystem::path state_folder(const std::filesystem::path& project, const std::filesystem::path& home);

/// Makes such a folder, for its owner alone, with a .gitignore that keeps it out of repositories. Throws
/// Error bolt/file-error when it cannot be made, or belongs to somebody else; the message calls it `what`.
void make_state_folder(const std::filesystem::path& folder, const std::string& what);

}  // namespace volley::journal
