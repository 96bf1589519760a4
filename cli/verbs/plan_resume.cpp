#include "cli/records/recorded_runs.hpp"
#include "cli/run/session.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"

namespace volley::cli {
namespace {

constexpr auto plan_resume_options =
    join_options(action_options, rollout_options,
                 std::to_array<std::string_view>({"params", "env-var", "tmpdir", "unknown", "report"}));

int run_plan_resume(Session& session, const CommandLine& line) {
    const bool named = line.object && line.object->find('=') == std::string::npos;
    return resume_run(session, line, named ? named_run(session, line.object) : last_plan_run(session));
}

}  // namespace

const Verb& plan_resume_verb() {
    static constexpr Verb verb{
        .noun = "plan",
        .action = "resume",
        .summary = "Continue a plan that was stopped",
        .usage = "plan resume [ID] [parameter=value ...] [options]",
        .description =
            "Continues a recorded run of a plan, the last one if no ID is given. Results of actions that "
            "succeeded are taken from the record; everything else runs, also inside a step. An action that "
            "was started and whose outcome was not recorded is reported and not run again: the target fails, "
            "unless '--unknown run' runs it again or '--unknown done' takes it as done. Sensitive parameters "
            "are not recorded and have to be passed again.",
        .guide = {},
        .examples = "volley plan resume\nvolley plan resume k7f3 --unknown run",
        .options = plan_resume_options,
        .needs_targets = false,
        .run = run_plan_resume,
    };
    return verb;
}

}  // namespace volley::cli
