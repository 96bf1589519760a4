#include "cli/records/last_run.hpp"

#include <nlohmann/json.hpp>
#include <system_error>

#include "cli/run/recording.hpp"
#include "journal/journal.hpp"
#include "planner/record/recorded_run.hpp"
#include "support/error.hpp"

namespace volley::cli {
namespace {

/// It is over, and --no-save-rerun was not given.
bool counts_for_rerun(const journal::RunFile& file) {
    try {
        const journal::RunRecord run = journal::read_run_ends(file);
        const Json* head = run.find("run");
        return head != nullptr && !run.running && head->value("rerun", true);
    } catch (const Error&) {
        return false;  // not a file of this user
    }
}

}  // namespace

std::vector<planner::RerunTarget> last_run(const Session& session) {
    const std::filesystem::path& file = session.config().rerun_file;
    if (!session.config().journal) return planner::read_rerun(file);
    std::error_code missing;
    const auto written = std::filesystem::last_write_time(file, missing);
    for (const journal::RunFile& run : journal::runs_in(journal_folder(session))) {
        if (!missing && written > journal::last_written(run)) break;
        if (counts_for_rerun(run)) return planner::rerun_targets_of(journal::read_run(run));
    }
    return planner::read_rerun(file);
}

}  // namespace volley::cli
