#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "inventory/config/config.hpp"
#include "tasks/library.hpp"

namespace volley::planner {

/// What the project lists under `policies`, each once. Throws Error bolt/no-policies-error without that key.
std::vector<std::string> project_policies(const inventory::Config& config);

/// APL-025. Throws Error bolt/unavailable-policy-error for names that match none of the project's policies,
/// and bolt/unloadable-policy-error for those that are not a class of a module.
void check_policies(const inventory::Config& config, const tasks::Library& library,
                    const std::vector<std::string>& names);

/// APL-026: writes an empty class and adds it to the project's policies; returns its file. Comments in the
/// project file stay. Throws Error bolt/validation-error, bolt/existing-policy-error,
/// bolt/existing-file-error, bolt/file-error.
std::filesystem::path create_policy(const inventory::Project& project, const std::string& name);

}  // namespace volley::planner
