#include "cli/run/session.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "planner/apply/policies.hpp"

namespace volley::cli {
namespace {

constexpr auto policy_new_options =
    join_options(context_options, std::to_array<std::string_view>({"format"}));

int run_policy_new(Session& session, const CommandLine& line) {
    const std::filesystem::path path = planner::create_policy(session.config().project, *line.object);
    session.out().print_new_policy(*line.object, path);
    return 0;
}

}  // namespace

const Verb& policy_new_verb() {
    static constexpr Verb verb{
        .noun = "policy",
        .action = "new",
        .summary = "Create a policy in the project",
        .usage = "policy new <policy> [options]",
        .description =
            "Writes an empty class into the project and adds it to the policies in bolt-project.yaml.",
        .guide = "apply",
        .examples = "volley policy new myproject::webserver",
        .options = policy_new_options,
        .needs_targets = false,
        .run = run_policy_new,
    };
    return verb;
}

}  // namespace volley::cli
