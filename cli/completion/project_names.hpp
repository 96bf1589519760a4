#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inventory/config/config.hpp"
#include "inventory/project/project.hpp"

namespace volley::planner {
class PlanLibrary;
}
namespace volley::tasks {
class Library;
}

namespace volley::cli {

/// What may stand at the cursor, and what it is.
struct Candidate {
    std::string text;
    std::string description;  ///< one line; may be empty
};
using Candidates = std::vector<Candidate>;

/// A parameter of a task or plan; `type` as its author wrote it.
struct NamedParameter {
    std::string name, type, description;
};

/// Throw Error when there is no such task or plan, or it cannot be read.
std::vector<NamedParameter> parameters_of_task(const tasks::Library& library, const std::string& task);
std::vector<NamedParameter> parameters_of_plan(planner::PlanLibrary& plans, const std::string& plan);

/// The names in a project, read from its files when they are asked for. No plugin is run and nothing is
/// connected to; what cannot be read has no names.
class ProjectNames {
public:
    ProjectNames(const inventory::ProcessContext& process, inventory::Overrides overrides);

    /// Groups, targets and their aliases, in the order of the inventory. What plugins would add is missing.
    Candidates targets() const;
    /// Public ones; `part`: what their names contain.
    Candidates tasks(std::string_view part) const;
    Candidates plans(std::string_view part) const;
    Candidates modules() const;
    Candidates policies() const;
    /// Ids of recorded runs that begin with `part`, the newest first, with what they did and their state.
    Candidates runs(std::string_view part, bool plans_only) const;
    std::vector<NamedParameter> task_parameters(const std::string& task) const;
    std::vector<NamedParameter> plan_parameters(const std::string& plan) const;

private:
    const inventory::ProcessContext& process_;
    std::optional<inventory::Config> config_;  ///< nullopt: it could not be read
};

}  // namespace volley::cli
