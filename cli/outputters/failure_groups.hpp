#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/results/result.hpp"

namespace volley::cli {

/// Failures that say the same.
struct FailureGroup {
    std::string text;                ///< what differs between its members is "*", their names are "<target>"
    std::vector<std::string> names;  ///< for people
};

/// The failures among the results, the most frequent first: the error's message with the last lines of what
/// the command or task said. Numbers and words with digits may differ; exit codes may not.
std::vector<FailureGroup> failure_groups(const planner::ResultSet& results,
                                         const std::function<std::string(std::string_view)>& display_name);

/// The message of a failed result.
std::string failure_message(const planner::Result& result);
/// What a failed task wrote to stderr, beside its output; empty when there is nothing or the message has it.
std::string failure_stderr(const planner::Result& result);

}  // namespace volley::cli
