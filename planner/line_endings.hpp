#pragma once

#include <filesystem>
#include <set>

#include "planner/action.hpp"

namespace volley::planner {

/// Warns of scripts and tasks whose first line ends in a carriage return: the target looks for a program
/// "sh\r" and says only that the script was not found. Each file in `known` once; those looked at are added.
void warn_of_line_endings(const Action& action, std::set<std::filesystem::path>& known);

}  // namespace volley::planner
