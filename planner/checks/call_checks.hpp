#pragma once

#include <vector>

#include "planner/checks/check_sources.hpp"
#include "planner/checks/plan_analysis.hpp"
#include "planner/checks/plan_code.hpp"

namespace volley::planner {

/// Functions that do not exist, options that functions do not have, and files that are not there, where
/// names are written in the plan.
std::vector<PlanFinding> check_function_calls(const PlanCode& code, const CheckSources& sources);

/// The files that the steps of a YAML plan name, which are not code.
std::vector<PlanFinding> check_step_files(const PlanDefinition& plan, const CheckSources& sources);

}  // namespace volley::planner
