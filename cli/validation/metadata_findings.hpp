#pragma once

#include <string>
#include <vector>

#include "cli/validation/findings.hpp"

namespace volley::cli {

/// The metadata of a task (spec/tasks, revision 6): keys, types of parameters, values. A key that is much
/// like a known one is an error, any other unknown key a warning.
std::vector<Finding> validate_task_metadata(const std::string& text, const std::string& file);
/// The metadata.json of a module: what it must have, and the form of names and versions.
std::vector<Finding> validate_module_metadata(const std::string& text, const std::string& file);

}  // namespace volley::cli
