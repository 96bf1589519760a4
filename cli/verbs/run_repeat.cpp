#include "cli/records/recorded_runs.hpp"
#include "cli/run/session.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"

namespace volley::cli {
namespace {

constexpr auto run_repeat_options =
    join_options(action_options, rollout_options,
                 std::to_array<std::string_view>({"params", "env-var", "tmpdir", "noop"}));

int run_run_repeat(Session& session, const CommandLine& line) { return repeat_run(session, line); }

}  // namespace

const Verb& run_repeat_verb() {
    static constexpr Verb verb{
        .noun = "run",
        .action = "repeat",
        .summary = "Do again what a run did",
        .usage = "run repeat [ID] [parameter=value ...] [options]",
        .description =
            "Does again what a recorded run did, on the same targets and with the same options. Passwords, "
            "environment variables and sensitive parameters are not recorded and have to be passed again. "
            "Options on the command line override recorded ones.",
        .guide = {},
        .examples = "volley run repeat last\nvolley run repeat k7f3 --password-prompt",
        .options = run_repeat_options,
        .needs_targets = false,
        .run = run_run_repeat,
    };
    return verb;
}

}  // namespace volley::cli
