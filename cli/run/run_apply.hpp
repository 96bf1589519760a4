#pragma once

#include <string>

#include "cli/run/session.hpp"

namespace volley::cli {

/// What `apply` and `policy apply` share: makes the targets ready, applies code on those that are, prints as
/// it happens, writes the rerun file. `file`: where the code is from, for positions; empty: the command line.
/// Returns the exit status. Throws Error bolt/pal-error for wrong code.
int run_apply(Session& session, const CommandLine& line, std::string code, const std::string& file);

}  // namespace volley::cli
