#pragma once

#include <functional>

#include "cli/run/session.hpp"
#include "planner/action.hpp"
#include "transports/runtime.hpp"

namespace volley::cli {

/// What the verbs that act on targets share: finds the targets, runs what `make_action` returns on all of
/// them, prints as it happens, writes the rerun file, prints the summary. Returns the exit status (EXIT-001,
/// 002). Without targets `make_action` is not called (TSK-048). Throws Error.
int run_action(Session& session, const CommandLine& line,
               const std::function<planner::Action()>& make_action);
/// The same for an action that needs the loop on which it will run; it is gone before the loop is.
int run_action(Session& session, const CommandLine& line,
               const std::function<planner::Action(transports::Runtime&)>& make_action);

/// Says why there is nothing to do, so that it does not look like success; the rerun file stays as it is
/// then. Throws Error bolt/cli-error for an inventory without any target.
void explain_no_targets(Session& session, const TargetOptions& options);

}  // namespace volley::cli
