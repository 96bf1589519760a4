#pragma once

#include <memory>

#include "cli/run/session.hpp"
#include "planner/journal/run_recorder.hpp"

namespace volley::cli {

/// The recorder of this run; null when it is not wanted, and for what only looks (ping, facts).
std::unique_ptr<planner::RunRecorder> record_run(Session& session, const CommandLine& line);

/// Where this project's runs are recorded.
std::filesystem::path journal_folder(const Session& session);

}  // namespace volley::cli
