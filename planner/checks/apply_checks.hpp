#pragma once

#include <vector>

#include "planner/checks/check_sources.hpp"
#include "planner/checks/plan_analysis.hpp"
#include "planner/checks/plan_code.hpp"

namespace volley::planner {

/// In apply blocks: resource types, classes and attributes that do not exist, and parameters of defined types
/// that are missing. What only the run knows (splatted hashes, titles of variables) is not judged.
std::vector<PlanFinding> check_apply_blocks(const PlanCode& code, const CheckSources& sources);

/// The same for the `resources` of the steps of a YAML plan.
std::vector<PlanFinding> check_step_resources(const PlanDefinition& plan, const CheckSources& sources);

}  // namespace volley::planner
