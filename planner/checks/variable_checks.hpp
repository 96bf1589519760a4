#pragma once

#include <vector>

#include "planner/checks/check_sources.hpp"
#include "planner/checks/plan_analysis.hpp"
#include "planner/checks/plan_code.hpp"

namespace volley::planner {

/// Variables that are read and never set, or set later, or only inside a block that has ended; and those that
/// are set twice. A variable that only one branch of a condition sets may be there, so nothing is said of it.
/// Spec "Scopes".
std::vector<PlanFinding> check_variables(const PlanCode& code, const CheckSources& sources);

}  // namespace volley::planner
