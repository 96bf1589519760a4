#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace volley::planner {

/// What the comment above a plan says, in the way of Puppet Strings (PMD-001).
struct PlanDocs {
    std::string text;                                             ///< without tags, trimmed
    std::optional<std::string> summary;                           ///< @summary
    std::vector<std::pair<std::string, std::string>> parameters;  ///< @param: name and text, in order
    std::optional<std::string> api;                               ///< @api
    std::optional<std::string> private_tag;                       ///< the deprecated @private
};

/// Reads the comment lines that end right above the byte `begin` of a program.
PlanDocs read_plan_docs(std::string_view program, std::size_t begin);

}  // namespace volley::planner
