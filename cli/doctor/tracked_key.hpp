#pragma once

#include <filesystem>

#include "cli/run/session.hpp"

namespace volley::cli {

/// Whether git keeps that file. Nothing that the repository's own configuration names is run.
bool is_tracked(const std::filesystem::path& file);

/// Warns when git keeps the private key that the plugin of that name decrypts with. Without a repository
/// no program is run.
void warn_of_tracked_key(const Session& session, const std::string& plugin);

}  // namespace volley::cli
