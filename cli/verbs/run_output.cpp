#include <algorithm>

#include "cli/records/recorded_runs.hpp"
#include "cli/run/session.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

constexpr auto run_output_options = std::to_array<std::string_view>({"project", "format", "color"});

int run_run_output(Session& session, const CommandLine& line) {
    const journal::RunRecord run = journal::read_run(named_run(session, line.object));
    std::vector<planner::Result> results;
    for (const planner::RecordedStep& step : planner::steps_of_run(run)) {
        for (const planner::Result& result : step.results) {
            const bool wanted = line.leftovers.empty() ||
                                std::ranges::find(line.leftovers, result.target()) != line.leftovers.end();
            if (wanted) results.push_back(result);
        }
    }
    if (results.empty() && !line.leftovers.empty())
        throw Error("bolt/cli-error",
                    "The run " + run.id + " has no outcome of " + join(line.leftovers, ", "));
    session.out().print_result_set(planner::ResultSet(std::move(results)));
    return 0;
}

}  // namespace

const Verb& run_output_verb() {
    static constexpr Verb verb{
        .noun = "run",
        .action = "output",
        .summary = "Show what the targets of a run printed",
        .usage = "run output [ID] [TARGET ...] [options]",
        .description =
            "Shows all that the targets of a recorded run printed or returned, or only some of them by their "
            "names.",
        .guide = {},
        .examples = "volley run output last\nvolley run output k7f3 web1 web2",
        .options = run_output_options,
        .needs_targets = false,
        .run = run_run_output,
    };
    return verb;
}

}  // namespace volley::cli
