#include "cli/run/session.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "planner/apply/policies.hpp"

namespace volley::cli {
namespace {

constexpr auto policy_show_options =
    join_options(context_options, std::to_array<std::string_view>({"format"}));

int run_policy_show(Session& session, const CommandLine&) {
    session.out().print_policies({planner::project_policies(session.config()), session.config().modulepath});
    return 0;
}

}  // namespace

const Verb& policy_show_verb() {
    static constexpr Verb verb{
        .noun = "policy",
        .action = "show",
        .summary = "Show the policies of the project",
        .usage = "policy show [options]",
        .description = "Lists what the project may apply as policies, and where modules are looked for.",
        .guide = "apply",
        .examples = "volley policy show",
        .options = policy_show_options,
        .needs_targets = false,
        .run = run_policy_show,
    };
    return verb;
}

}  // namespace volley::cli
