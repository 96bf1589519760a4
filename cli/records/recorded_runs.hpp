#pragma once

#include <string>
#include <vector>

#include "cli/run/session.hpp"
#include "journal/journal.hpp"
#include "planner/record/recorded_run.hpp"

namespace volley::cli {

/// The run that the command line names, "last" when it names none. Throws Error volley/unknown-run.
journal::RunFile named_run(const Session& session, const std::optional<std::string>& word);
/// The last run of a plan, for `plan resume` without an id. Throws Error volley/unknown-run.
journal::RunFile last_plan_run(const Session& session);

/// That run and those that it had resumed, the first one first. Throws Error.
std::vector<journal::RunRecord> run_chain(const Session& session, const std::string& id);
/// Throws Error volley/resume-error when frames of the record are damaged or missing.
void refuse_damaged(const journal::RunRecord& run);
/// Keeps others from going on with the run that this command resumes; empty when it resumes none. Throws
/// Error volley/resume-error when another one is at it or has been, and when nothing would be recorded.
UniqueFd lock_resumed(const Session& session, const CommandLine& line);

/// "succeeded", "failed", "interrupted", "running", "unfinished".
std::string run_state(const journal::RunRecord& run);
/// What it did, in words: "command run 'uptime'".
std::string run_title(const Json& head);
/// When it began, in local time: "2026-11-23 21:34:53"; empty when the record does not have it.
std::string run_time(const Json& head);
/// The head of a record. Throws Error volley/unknown-run when it was lost.
const Json& run_head(const journal::RunRecord& run);

/// Recorded names are those that people see.
std::string own_name(std::string_view name);
/// "web1", "2 targets: web[1-2]".
std::string place_of(const std::vector<std::string>& names);

/// Everything that `run show` shows of a run.
void print_run(Session& session, const journal::RunRecord& run);
/// `run diff`.
void print_run_diff(Session& session, const journal::RunRecord& before, const journal::RunRecord& after);
/// `run repeat`: has it done when the session is over.
int repeat_run(Session& session, const CommandLine& line);
/// `run resume` and `plan resume`, the same.
int resume_run(Session& session, const CommandLine& line, const journal::RunFile& file);
/// The words of a command line that does the same again. `given`: parameters and options for what is not
/// recorded. `targets`: in place of the recorded ones, which a plan has among its parameters. Throws Error
/// when something is missing, and for what cannot be repeated.
std::vector<std::string> run_arguments(Session& session, const journal::RunRecord& run,
                                       const CommandLine& given,
                                       std::optional<std::vector<std::string>> targets = std::nullopt);

}  // namespace volley::cli
