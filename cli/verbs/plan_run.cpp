#include <nlohmann/json.hpp>

#include "cli/run/run_plan.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"

namespace volley::cli {
namespace {

constexpr auto plan_run_options = join_options(
    action_options, std::to_array<std::string_view>({"params", "compile-concurrency", "tmpdir",
                                                     "hiera-config", "apply-method", "show-diff", "plan-log",
                                                     "resume", "report", "dry-run", "yes"}));

}  // namespace

const Verb& plan_run_verb() {
    static constexpr Verb verb{
        .noun = "plan",
        .action = "run",
        .summary = "Run a plan",
        .usage = "plan run <plan> [parameter=value ...] [options]",
        .description =
            "Runs a plan of a module. A value is read as JSON where the parameter's type takes it, else as "
            "text; "
            "--params takes all parameters as one JSON object. Targets of the command line go to the plan's "
            "parameter 'targets' or 'nodes'.",
        .guide = "plans",
        .examples =
            "volley plan run canary command=whoami targets=web1,web2\n"
            "volley plan run myproject::deploy --params '{\"version\": \"1.2\"}' -t web",
        .options = plan_run_options,
        .needs_targets = false,
        .run = run_plan,
    };
    return verb;
}

}  // namespace volley::cli
