#include "cli/records/recorded_runs.hpp"
#include "cli/run/session.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "support/error.hpp"

namespace volley::cli {
namespace {

constexpr auto run_diff_options = std::to_array<std::string_view>({"project", "format", "color"});

int run_run_diff(Session& session, const CommandLine& line) {
    if (!line.object || line.leftovers.size() != 1)
        throw Error("bolt/cli-error", "Two runs are needed, such as 'volley run diff k7f3 last'");
    print_run_diff(session, journal::read_run(named_run(session, line.object)),
                   journal::read_run(named_run(session, line.leftovers.front())));
    return 0;
}

}  // namespace

const Verb& run_diff_verb() {
    static constexpr Verb verb{
        .noun = "run",
        .action = "diff",
        .summary = "Compare two runs",
        .usage = "run diff ID ID [options]",
        .description =
            "Compares the outcomes of two recorded runs target by target and shows which targets differ, "
            "how, "
            "and which are in one of the runs only. A target's own name does not count as a difference; "
            "outcomes that differ only in numbers are listed after the others.",
        .guide = {},
        .examples = "volley run diff k7f3 last",
        .options = run_diff_options,
        .needs_targets = false,
        .run = run_run_diff,
    };
    return verb;
}

}  // namespace volley::cli
