#pragma once

#include <vector>

#include "cli/run/session.hpp"
#include "planner/results/rerun.hpp"

namespace volley::cli {

/// The targets of the last run, for --rerun and @rerun: as the journal has them, or the rerun file where that
/// is newer or there is no journal: Bolt writes it, too, and so do runs that are not recorded. Throws Error.
std::vector<planner::RerunTarget> last_run(const Session& session);

}  // namespace volley::cli
