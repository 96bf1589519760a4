#include "cli/records/recorded_runs.hpp"
#include "cli/run/session.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"

namespace volley::cli {
namespace {

constexpr auto run_resume_options =
    join_options(action_options, rollout_options,
                 std::to_array<std::string_view>({"params", "env-var", "tmpdir", "unknown", "report"}));

int run_run_resume(Session& session, const CommandLine& line) {
    return resume_run(session, line, named_run(session, line.object));
}

}  // namespace

const Verb& run_resume_verb() {
    static constexpr Verb verb{
        .noun = "run",
        .action = "resume",
        .summary = "Continue a run that was stopped",
        .usage = "run resume [ID] [parameter=value ...] [options]",
        .description =
            "Continues a recorded run on the targets without an outcome: a plan at the step where it stopped "
            "(see plan resume), everything else on the targets that are left. An action that was started and "
            "whose outcome was not recorded is reported and not run again, unless '--unknown run' is given. "
            "A "
            "run can be resumed once; after that, resume the run that continued it.",
        .guide = {},
        .examples = "volley run resume last\nvolley run resume k7f3 --unknown run",
        .options = run_resume_options,
        .needs_targets = false,
        .run = run_run_resume,
    };
    return verb;
}

}  // namespace volley::cli
