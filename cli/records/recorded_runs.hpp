#pragma once

#include <string>
#include <vector>

#include "cli/run/session.hpp"
#include "journal/journal.hpp"
#include "planner/journal/recorded_plan.hpp"

namespace volley::cli {

/// The run that the command line names, "last" when it names none. Throws Error volley/unknown-run.
journal::RunFile named_run(const Session& session, const std::optional<std::string>& word);
/// The last run of a plan, for `plan resume` without an id. Throws Error volley/unknown-run.
journal::RunFile last_plan_run(const Session& session);

/// That run and those that it had resumed, the first one first. Throws Error.
std::vector<journal::RunRecord> run_chain(const Session& session, const std::string& id);
/// Keeps others from going on with it. Throws Error volley/resume-error when one is at it or has been.
UniqueFd lock_resumed(const Session& session, const std::string& id);

/// "succeeded", "failed", "running", "unfinished".
std::string run_state(const journal::RunRecord& run);
/// What it did, in words: "command run 'uptime'".
std::string run_title(const Json& head);
/// "2026-11-23 21:34:53", here.
std::string local_time(std::uint64_t milliseconds);
/// The head of a record. Throws Error volley/unknown-run when it was lost.
const Json& run_head(const journal::RunRecord& run);

/// Everything that `run show` shows of a run.
void print_run(Session& session, const journal::RunRecord& run);
/// `run diff`.
void print_run_diff(Session& session, const journal::RunRecord& before, const journal::RunRecord& after);
/// `run repeat`: has it done when the session is over.
int repeat_run(Session& session, const CommandLine& line);
/// `run resume` and `plan resume`, the same.
int resume_run(Session& session, const CommandLine& line, const journal::RunFile& file);
/// The words of a command line that does the same again. `given`: parameters and options for what is not
/// recorded. Throws Error when some is missing.
std::vector<std::string> words_of_run(const journal::RunRecord& run, const CommandLine& given);

}  // namespace volley::cli
