#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "journal/journal.hpp"
#include "planner/results/rerun.hpp"
#include "planner/results/result.hpp"

namespace volley::planner {

/// One action of a recorded run.
struct RecordedStep {
    std::string description;
    std::string action;
    std::vector<std::string> targets;
    std::vector<Result> results;  ///< of those that ended, in that order
    std::vector<double> begins;   ///< seconds since the run began, of each result
    std::vector<double> ends;
    std::vector<std::string> unknown;  ///< began, or may have, and nobody saw the end
    std::vector<std::string> left;     ///< did not begin
    /// The plans and branches that it is in, the outermost first, without the plan that the run is of: their
    /// numbers in this run and what they are called. Empty in records that do not have them.
    std::vector<std::pair<std::uint64_t, std::string>> path;
    bool carried = false;  ///< of the run that this one resumed; nothing but what is unknown
};
std::vector<RecordedStep> steps_of_run(const journal::RunRecord& run);

/// The result in a frame "outcome" of that frame "step"; nullopt when it has none in a form that we know.
std::optional<Result> recorded_outcome(const Json& frame, const Json& step);

/// What --rerun chooses from: how it ended on each target, or what the plan returned. Where there is no
/// outcome it is a failure.
std::vector<RerunTarget> rerun_targets_of(const journal::RunRecord& run);

}  // namespace volley::planner
