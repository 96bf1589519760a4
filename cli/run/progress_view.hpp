#pragma once

#include <memory>

#include "cli/run/session.hpp"
#include "cli/terminal/run_progress.hpp"
#include "planner/event.hpp"
#include "planner/executor.hpp"
#include "transports/runtime.hpp"

namespace volley::cli {

/// What shows people how far a run is: a live view or a status line on a terminal, lines in a log of
/// continuous integration; null where nothing does. Keys of the live view stop what `executor` runs.
std::unique_ptr<planner::EventListener> make_progress_view(Session& session, transports::Runtime& runtime,
                                                           planner::Executor& executor,
                                                           RunProgress::DisplayName display_name);

}  // namespace volley::cli
