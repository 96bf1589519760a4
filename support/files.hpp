#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace volley {

/// The whole file as bytes. Throws Error kind bolt/file-error (details: path) when it cannot be read; the
/// message names the file, `what` it is ("inventory file") and the system's reason.
std::string read_file(const std::filesystem::path& path, std::string_view what);

/// Replaces `path` at once: written beside it with `mode`, then renamed; a reader sees the old or the new
/// file, never half. Throws Error kind bolt/file-error.
void write_file_atomically(const std::filesystem::path& path, std::string_view content, unsigned mode = 0644);

/// base/relative, refused when the result would lie outside `base` (absolute path, "..").
/// Every path that comes from a target, a module or metadata goes through here. Throws Error kind
/// bolt/path-traversal.
std::filesystem::path join_inside(const std::filesystem::path& base, std::string_view relative);

/// "~" and "~user" replaced, then made absolute against `base`, without looking at the disk.
std::filesystem::path expand_path(std::string_view path, const std::filesystem::path& base);

/// The user's home: $HOME, else the password database; empty when neither knows.
std::filesystem::path home_directory();
/// The login name of the effective user; empty when the password database does not know it.
std::string login_name();

}  // namespace volley
