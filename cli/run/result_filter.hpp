#pragma once

#include <memory>
#include <string>

#include "planner/results/result.hpp"

namespace volley::cli {

/// --filter: an expression of the Puppet language that says which results are shown. It sees data only, no
/// targets and no functions of plans: $target, $status, $ok, $action, $object, $value, $message, and the
/// whole $result as it is in JSON. What is sensitive it sees redacted.
class ResultFilter {
public:
    /// Throws Error bolt/cli-error for what is not an expression, for unknown variables and unknown
    /// functions.
    explicit ResultFilter(const std::string& expression);
    ~ResultFilter();
    ResultFilter(const ResultFilter&) = delete;
    ResultFilter& operator=(const ResultFilter&) = delete;

    /// Whether the expression is true for a result. One for which it cannot be evaluated is shown, and the
    /// first of these is warned of: no result is lost by a mistake.
    bool matches(const planner::Result& result);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace volley::cli
