#pragma once

#include <filesystem>
#include <string_view>

#include "support/error.hpp"

namespace volley::tasks {

/// A task that cannot be loaded, as users see it: kind bolt/pal-error with Puppet's message; details name the
/// file and, as `original_kind`, the puppet.tasks/* kind of it (ERR-016, ERR-058).
Error load_error(std::string_view original_kind, std::string_view msg, const std::filesystem::path& file);

}  // namespace volley::tasks
