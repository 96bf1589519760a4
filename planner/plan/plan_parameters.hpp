#pragma once

#include <string>
#include <utility>
#include <vector>

#include "planner/plan/plan_run.hpp"

namespace volley::planner {

/// Which parameters of a plan take targets (FN-022, ARG-008).
struct PlanTargetParameters {
    bool nodes = false;    ///< it has $nodes
    bool targets = false;  ///< it has $targets, whose type mentions TargetSpec
};
PlanTargetParameters target_parameters(const PlanDefinition& plan);

/// "name=text" words of the command line typed as Bolt does (ARG-006): JSON when the parameter's type takes
/// it, or the plan has no such parameter; else the text.
Json typed_plan_arguments(PlanRun& run, const std::string& plan,
                          const std::vector<std::pair<std::string, std::string>>& words);

/// What the user passed as a hash for PlanRun::run: the targets of the command line go where the plan wants
/// them (ARG-008), values of Sensitive parameters are wrapped (PMD-005). Throws Error bolt/cli-error when
/// targets are given twice (ARG-009).
Value plan_arguments(PlanRun& run, const std::string& plan, Json given,
                     const std::vector<std::string>& targets);

}  // namespace volley::planner
