#include "cli/records/recorded_runs.hpp"
#include "cli/run/session.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"

namespace volley::cli {
namespace {

constexpr auto run_show_options = std::to_array<std::string_view>({"project", "format", "color"});

int run_run_show(Session& session, const CommandLine& line) {
    print_run(session, journal::read_run(named_run(session, line.object)));
    return 0;
}

}  // namespace

const Verb& run_show_verb() {
    static constexpr Verb verb{
        .noun = "run",
        .action = "show",
        .summary = "Show what a run did",
        .usage = "run show [ID] [options]",
        .description =
            "Shows a recorded run: what was done, where, by whom, and how it ended on the targets, with "
            "equal "
            "outcomes in one group. ID is an id from 'run list' or the first letters of one; without it the "
            "last run is shown.",
        .guide = {},
        .examples = "volley run show\nvolley run show k7f3 --format json",
        .options = run_show_options,
        .needs_targets = false,
        .run = run_run_show,
    };
    return verb;
}

}  // namespace volley::cli
