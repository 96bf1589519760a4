#include "cli/terminal/plan_reader.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "planner/plan/plan_error.hpp"

namespace volley::cli {
namespace {

constexpr auto plan_show_options =
    join_options(context_options, std::to_array<std::string_view>({"filter", "format"}));

int run_plan_show(Session& session, const CommandLine& line) {
    PlanReader reader(session);
    planner::PlanLibrary& plans = reader.plans;
    try {
        if (line.object) {
            session.out().print_plan(plans.describe(*line.object));
        } else {
            session.out().print_plans(PlanListing{plans.list(line.options.display.filter.value_or("")),
                                                  session.config().modulepath});
        }
    } catch (const LanguageError& error) {
        throw Error(planner::final_error(error));
    }
    return 0;
}

}  // namespace

const Verb& plan_show_verb() {
    static constexpr Verb verb{
        .noun = "plan",
        .action = "show",
        .summary = "Show plans, or one plan and its parameters",
        .usage = "plan show [plan] [options]",
        .description =
            "Without a name, lists the plans of the project's modules. With a name, shows what that plan "
            "does and "
            "which parameters it takes.",
        .guide = "plans",
        .examples = "volley plan show\nvolley plan show --filter canary\nvolley plan show canary",
        .options = plan_show_options,
        .needs_targets = false,
        .run = run_plan_show,
    };
    return verb;
}

}  // namespace volley::cli
