#pragma once

#include <filesystem>
#include <string>

#include "language/value.hpp"

namespace volley::planner {

/// $trusted for a target: what a machine without a certificate is known by, and under `external` what the
/// project's trusted-external-command says of it (APL-028): the JSON that the program prints when it is given
/// the name; for a folder, that of every program in it under the program's name. Any thread; blocks while
/// programs run. Throws Error bolt/apply-error for programs that fail or print no JSON.
Value trusted_data(const std::string& target, const std::filesystem::path& external_command);

}  // namespace volley::planner
