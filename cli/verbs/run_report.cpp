#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/outputters/result_groups.hpp"
#include "cli/records/recorded_runs.hpp"
#include "cli/run/session.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "planner/plan/report/plan_report.hpp"
#include "support/files.hpp"

namespace volley::cli {
namespace {

constexpr auto run_report_options = std::to_array<std::string_view>({"project", "format", "color"});

int run_run_report(Session& session, const CommandLine& line) {
    const journal::RunRecord run = journal::read_run(named_run(session, line.object));
    const Json& head = run_head(run);
    std::vector<planner::ReportEntry> entries;
    planner::ReportHead page{
        "Run " + run.id + ": " + run_title(head), {}, run_state(run) == "succeeded", 0, {}};
    if (head.contains("at") && head["at"].is_number_integer())
        page.date += std::chrono::milliseconds(head["at"].get<std::int64_t>());
    if (!page.ok) page.error = "The run " + run_state(run);
    for (const planner::RecordedStep& step : planner::steps_of_run(run)) {
        for (std::size_t i = 0; i < step.results.size(); ++i) {
            const planner::Result& result = step.results[i];
            std::string output = result_body(result);
            if (!result.ok()) output = failure_message(result) + "\n" + output;
            entries.push_back({planner::ReportEntry::What::Step, result.target(), step.description,
                               step.begins[i], step.ends[i], result.ok(), std::move(output)});
            page.seconds = std::max(page.seconds, step.ends[i]);
        }
    }
    const std::string file = line.leftovers.empty() ? "run-" + run.id + ".html" : line.leftovers.front();
    write_file_atomically(session.process().working_directory / file, planner::report_page(page, entries),
                          0600);
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
