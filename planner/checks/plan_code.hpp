#pragma once

#include <memory>
#include <string>
#include <vector>

#include "language/errors.hpp"
#include "language/syntax/ast.hpp"
#include "planner/plan/plan_library.hpp"

namespace volley::planner {

struct YamlValue;

/// A piece of the code of a plan: the whole definition, or one value of a YAML plan.
struct PlanCode {
    const ast::Node* root = nullptr;  ///< of `program`, or of the plan that it was made from
    std::shared_ptr<const ast::Program> program;
    const YamlValue* yaml = nullptr;
    std::string file;
    std::vector<std::string>
        names;  ///< variables that are set before it: parameters and steps of a YAML plan

    /// Where a node stands in the plan's file.
    Location at(const ast::Node& node) const;
};

/// All code of a plan in the order of its text; code that cannot be read is left out. The plan must outlive
/// it.
std::vector<PlanCode> code_of_plan(const PlanDefinition& plan);

/// "; did you mean 'x'?" when one of the names is much like the word, else nothing.
std::string meant_name(const std::string& word, const std::vector<std::string>& names);

}  // namespace volley::planner
