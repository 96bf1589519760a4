#pragma once

#include <vector>

#include "inventory/inventory.hpp"
#include "planner/checks/plan_analysis.hpp"

namespace volley::planner {

class YamlPlan;

/// $0, $1 ... in the texts of a plan where nothing has matched ("awk '{print $5}'" in double quotes):
/// warnings.
std::vector<PlanFinding> check_match_variables(const PlanDefinition& plan);
std::vector<PlanFinding> check_match_variables(const YamlPlan& plan);

/// A text in a plan that names targets.
struct WrittenTargets {
    std::string text;
    Location at;
};
/// The targets that a plan names literally: defaults of its TargetSpec parameters, arguments of functions and
/// the `targets` of YAML steps. `environment`: of the plan's library.
std::vector<WrittenTargets> written_targets(const PlanDefinition& plan, Environment& environment);
/// Warnings for those that the inventory does not know.
std::vector<PlanFinding> check_targets(const std::vector<WrittenTargets>& written,
                                       const inventory::Inventory& inventory);

}  // namespace volley::planner
