#pragma once

#include <string>
#include <vector>

#include "planner/checks/plan_analysis.hpp"
#include "support/json/json.hpp"

namespace volley::cli {

Json graph_json(const std::vector<planner::PlanGraphEntry>& graph);
/// "command systemctl restart nginx", on one line and not too long.
std::string step_text(const planner::PlanStep& step);
/// Every plan with its steps.
std::string graph_text(const std::vector<planner::PlanGraphEntry>& graph);

}  // namespace volley::cli
