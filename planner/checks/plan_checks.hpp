#pragma once

#include <string>
#include <vector>

#include "planner/checks/check_sources.hpp"
#include "planner/checks/plan_analysis.hpp"

namespace volley {

class Error;
class LanguageError;

}  // namespace volley

namespace volley::planner {

/// Everything that is wrong with a plan before it runs, in the order of its text: tasks, plans, functions,
/// options, files, variables, types, resources, targets. What is worked out at run time is not judged. Throws
/// LanguageError and Error for a plan that cannot be read.
std::vector<PlanFinding> find_mistakes(const CheckSources& sources, const std::string& plan);

/// What an error about a plan that cannot be read says, one finding for each mistake. `file`: the plan's,
/// where the error names none.
std::vector<PlanFinding> findings_of_error(const Error& error, const std::string& file);
std::vector<PlanFinding> findings_of_error(const LanguageError& error, const std::string& file);

}  // namespace volley::planner
