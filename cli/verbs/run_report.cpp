#include <nlohmann/json.hpp>

#include "cli/records/recorded_runs.hpp"
#include "cli/run/recording.hpp"
#include "cli/run/session.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"

namespace volley::cli {
namespace {

constexpr auto run_report_options = std::to_array<std::string_view>({"project", "format", "color"});

int run_run_report(Session& session, const CommandLine& line) {
    const journal::RunRecord run = journal::read_run(named_run(session, line.object));
    const std::string file = line.leftovers.empty() ? "run-" + run.id + ".html" : line.leftovers.front();
    write_report(session, file, run);
    session.out().print_document("Wrote " + file, Json{{"file", file}});
    return 0;
}

}  // namespace

const Verb& run_report_verb() {
    static constexpr Verb verb{
        .noun = "run",
        .action = "report",
        .summary = "Write an HTML page about a run",
        .usage = "run report [ID] [FILE] [options]",
        .description =
            "Writes an HTML page about a recorded run, as --report does: a timeline of the steps by target, "
            "and failures with their output. Without FILE it is run-ID.html.",
        .guide = {},
        .examples = "volley run report last\nvolley run report k7f3 deploy.html",
        .options = run_report_options,
        .needs_targets = false,
        .run = run_run_report,
    };
    return verb;
}

}  // namespace volley::cli
