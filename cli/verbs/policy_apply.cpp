#include "cli/run/run_apply.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "planner/apply/policies.hpp"
#include "support/log.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

constexpr auto policy_apply_options =
    join_options(action_options, rollout_options,
                 std::to_array<std::string_view>({"noop", "compile-concurrency", "hiera-config",
                                                  "apply-method", "show-diff", "tags", "skip-tags",
                                                  "ignore-schedules", "report", "tmpdir", "yes"}));

int run_policy_apply(Session& session, const CommandLine& line) {
    std::vector<std::string> names = split(*line.object, ',');
    planner::check_policies(session.config(), session.library(), names);
    return run_apply(session, line, "include " + join(names, ", "), "");
}

}  // namespace

const Verb& policy_apply_verb() {
    static constexpr Verb verb{
        .noun = "policy",
        .action = "apply",
        .summary = "Apply policies to targets",
        .usage = "policy apply <policy,...> [options]",
        .description =
            "A policy is a Puppet class that the project lists under 'policies'. Its resources are applied "
            "as "
            "`volley apply` does.",
        .guide = "apply",
        .examples =
            "volley policy apply myproject::webserver -t web\nvolley policy apply site::base,site::web -t "
            "all --noop",
        .options = policy_apply_options,
        .needs_targets = true,
        .run = run_policy_apply,
    };
    return verb;
}

}  // namespace volley::cli
