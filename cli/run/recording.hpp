#pragma once

#include <memory>

#include "cli/run/session.hpp"
#include "planner/record/run_recorder.hpp"

namespace volley::cli {

/// The recorder of this run; null when it is not wanted, and for what only looks (ping, facts).
std::unique_ptr<planner::RunRecorder> record_run(Session& session, const CommandLine& line);

/// The status that a run ends with, as the program returns it: 128 and the signal that interrupted it.
int recorded_status(bool ok) noexcept;

/// Writes the page of --report about a run that is over. Throws Error bolt/file-error.
void write_report(const Session& session, const std::string& file, const journal::RunRecord& run);

/// Where this project's runs are recorded.
std::filesystem::path journal_folder(const Session& session);

}  // namespace volley::cli
