#pragma once

#include <memory>
#include <string>
#include <vector>

#include "journal/journal.hpp"
#include "planner/record/plan_log_file.hpp"
#include "planner/results/result.hpp"

namespace volley::planner {

/// A plan's run as one that resumes it sees it. `chain`: the run, and those that it had resumed, the first
/// one first. What failed is not in it: it is done again.
PlanRecord plan_record_of(const std::vector<journal::RunRecord>& chain);

/// One action of a recorded run.
struct RecordedStep {
    std::string description;
    std::string action;
    std::vector<std::string> targets;
    std::vector<Result> results;  ///< of those that ended, in that order
    std::vector<double> begins;   ///< seconds since the run began, of each result
    std::vector<double> ends;
    std::vector<std::string> unknown;  ///< began, and nobody saw the end
    std::vector<std::string> left;     ///< did not begin
    bool carried = false;              ///< of the run that this one resumed; nothing but what is unknown
};
std::vector<RecordedStep> steps_of_run(const journal::RunRecord& run);

}  // namespace volley::planner
