#pragma once

#include <filesystem>
#include <string>

#include "language/value.hpp"

namespace volley::planner {

/// $trusted for a target: what a machine without a certificate is known by, and under `external` what the
/// project's trusted-external-command says of it (APL-028): the JSON that the program prints when it is given
/// the name. Any thread; blocks while it runs. Throws Error bolt/apply-error when it fails or prints no JSON.
Value trusted_data(const std::string& target, const std::filesystem::path& external_command);

}  // namespace volley::planner
