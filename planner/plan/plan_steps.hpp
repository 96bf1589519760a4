#pragma once

#include <string>
#include <vector>

#include "planner/plan/plan_library.hpp"

namespace volley::planner {

/// Something that a plan does on targets.
struct PlanStep {
    std::string kind;  ///< "command", "script", "task", "plan", "upload", "download", "write", "apply" ...
    std::string what;  ///< the command, file or name, as it is written; empty for "apply"
    Location at;
};

/// The steps of a plan in the order of its text; what it calls is not followed.
std::vector<PlanStep> plan_steps(const PlanDefinition& plan);

}  // namespace volley::planner
