#pragma once

#include "cli/run/session.hpp"

namespace volley::cli {

/// The verb `plan run`: runs a plan, prints what happens and what it returns, writes the rerun file. Returns
/// the exit status (EXIT-002). Throws Error.
int run_plan(Session& session, const CommandLine& line);

}  // namespace volley::cli
