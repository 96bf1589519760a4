#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "inventory/project/project.hpp"

namespace volley::planner {

/// What `plan new` makes.
struct NewPlan {
    std::string name;
    bool puppet = false;                ///< in the Puppet language; else YAML
    std::optional<std::string> script;  ///< "module/scripts/x": the plan runs that script
};

/// Writes a plan to start from into the project and returns its file (MGT-015). Throws Error
/// bolt/unnamed-project-error, bolt/validation-error, bolt/existing-plan-error, bolt/existing-file-error,
/// bolt/file-error.
std::filesystem::path create_plan(const inventory::Project& project, const NewPlan& wanted);

}  // namespace volley::planner
