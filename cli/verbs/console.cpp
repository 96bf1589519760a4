#include "cli/repl/plan_console.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"

namespace volley::cli {
namespace {

constexpr auto console_options = join_options(
    action_options, std::to_array<std::string_view>(
                        {"compile-concurrency", "tmpdir", "hiera-config", "apply-method", "show-diff"}));

}  // namespace

const Verb& console_verb() {
    static constexpr Verb verb{
        .noun = "console",
        .action = {},
        .summary = "Try the code of plans on targets, input by input",
        .usage = "console [--targets TARGETS] [options]",
        .description =
            "A prompt for code as in a plan, with all functions of plans, history and completion. $targets "
            "are "
            "those of the command line; sessions with them stay open until the end. ':save deploy.pp' writes "
            "the inputs that succeeded into a plan.",
        .guide = "plans",
        .examples = "volley console -t web1,web2",
        .options = console_options,
        .needs_targets = false,
        .run = run_plan_console,
    };
    return verb;
}

}  // namespace volley::cli
