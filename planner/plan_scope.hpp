#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "language/errors.hpp"

namespace volley::planner {

/// Where code of a plan runs: in a call of a plan, in a branch of parallelize, in a block of background. Each
/// scope has the one around it; they never change, and whatever runs in one shares it.
struct PlanScope {
    enum class Kind {
        Plan,
        Parallel,  ///< a call of parallelize, around its branches
        Branch,
        Background,  ///< a block of background
    };
    Kind kind = Kind::Plan;
    std::uint64_t id = 0;  ///< its number in this run, in the order of their start
    std::shared_ptr<const PlanScope> around = nullptr;  ///< null: it is the outermost
    std::string name = {};  ///< of the plan, of the branch's value or of the block; empty: it has none
    std::size_t index = 0;  ///< of a branch or block, from 1
    std::size_t count = 0;  ///< branches of a call of parallelize
    Location at = {};       ///< the call
};
using PlanScopePtr = std::shared_ptr<const PlanScope>;

/// "plan site::deploy", "parallelize at deploy.pp:7", "branch 3 (web3)", "background 'backup'".
inline std::string scope_label(const PlanScope& scope) {
    const std::string number = std::to_string(scope.index);
    switch (scope.kind) {
        case PlanScope::Kind::Plan:
            return "plan " + scope.name;
        case PlanScope::Kind::Branch:
            return "branch " + number + (scope.name.empty() ? "" : " (" + scope.name + ")");
        case PlanScope::Kind::Background:
            return "background " + (scope.name.empty() ? number : "'" + scope.name + "'");
        case PlanScope::Kind::Parallel:
            break;
    }
    if (!scope.at.known()) return "parallelize";
    return "parallelize at " + scope.at.file.substr(scope.at.file.rfind('/') + 1) + ":" +
           std::to_string(scope.at.line);
}

/// The scopes that it is in and the scope itself, the outermost first.
inline std::vector<const PlanScope*> scope_path(const PlanScope* scope) {
    std::vector<const PlanScope*> path;
    for (; scope != nullptr; scope = scope->around.get()) path.insert(path.begin(), scope);
    return path;
}

/// The same without the plan that the run is of.
inline std::vector<const PlanScope*> recorded_scopes(const PlanScope* scope) {
    std::vector<const PlanScope*> path = scope_path(scope);
    std::erase_if(path,
                  [](const PlanScope* one) { return one->kind == PlanScope::Kind::Plan && !one->around; });
    return path;
}

}  // namespace volley::planner
