#pragma once

#include <optional>
#include <string>
#include <vector>

#include "language/errors.hpp"
#include "planner/plan/plan_library.hpp"
#include "planner/plan/plan_steps.hpp"
#include "tasks/library.hpp"

namespace volley::planner {

struct YamlValue;

/// A parameter that a call passes by its name. Exactly one of the two pointers is set; the plan keeps alive
/// what they point to.
struct PlanArgument {
    std::string name;
    const ast::Node* value = nullptr;
    const YamlValue* yaml = nullptr;
};

/// One call of a task or plan in a plan.
struct PlanCallSite {
    bool is_plan = false;             ///< else a task
    std::optional<std::string> name;  ///< nullopt: worked out only when the plan runs
    Location at;
    std::vector<PlanArgument> parameters;  ///< those whose names are given literally
    bool complete = false;                 ///< there are no others
    bool has_targets = false;              ///< run_plan with targets: they fill a parameter of the plan
    const ast::Node* second = nullptr;     ///< of run_plan: targets or parameters, which only its value shows
};

/// The calls of run_task, run_task_with and run_plan in a plan, in order, also those in YAML steps.
std::vector<PlanCallSite> plan_calls(const PlanDefinition& plan);

/// Which plans call which tasks and plans: one entry a plan, those that can be reached from the first. Plans
/// that cannot be read have no calls.
struct PlanGraphEntry {
    std::string plan;
    bool known = true;
    std::vector<std::string> tasks;
    std::vector<std::string> plans;
    bool computed = false;        ///< some names are worked out only when it runs
    std::vector<PlanStep> steps;  ///< everything that it does on targets, in order
};
std::vector<PlanGraphEntry> plan_graph(PlanLibrary& plans, const std::string& first);

/// Something that is wrong with a plan before it runs.
struct PlanFinding {
    std::string message;
    Location at;
    bool error = true;  ///< else a warning
};
/// Unknown tasks and plans, parameters that they do not have, that are missing or of a wrong type, variables
/// that are set and never used. What is worked out at run time is not judged. `environment`: of `plans`.
std::vector<PlanFinding> check_plan(PlanLibrary& plans, const tasks::Library& library,
                                    Environment& environment, const std::string& name);

}  // namespace volley::planner
