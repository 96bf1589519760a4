#pragma once

#include <string>
#include <vector>

#include "cli/validation/file_kinds.hpp"
#include "cli/validation/findings.hpp"

namespace volley::cli {

/// bolt-project.yaml, bolt-defaults.yaml and inventory.yaml: their keys and the types of their values, as
/// they are checked when a project is loaded. `kind` is one of these three. References to plugins are not
/// asked.
std::vector<Finding> validate_configuration(const std::string& text, const std::string& file, FileKind kind);

}  // namespace volley::cli
