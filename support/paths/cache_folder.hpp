#pragma once

#include <sys/types.h>

#include <filesystem>

namespace volley {

/// For what Volley makes for itself and may lose.
inline constexpr mode_t private_folder_mode = 0700;

/// True for a folder that nobody but its owner, us or root, can write into or put another one in place of.
bool is_safe_folder(const std::filesystem::path& path);

/// $XDG_CACHE_HOME/volley or ~/.cache/volley, which is made when it is missing; empty where it cannot be, or
/// is not safe. Any thread may call it.
std::filesystem::path cache_folder();

}  // namespace volley
