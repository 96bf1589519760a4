#include <nlohmann/json.hpp>

#include "cli/options/underscore_options.hpp"
#include "cli/run/run_action.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "tasks/parameters.hpp"

namespace volley::cli {
namespace {

constexpr auto task_run_options =
    join_options(action_options, rollout_options,
                 std::to_array<std::string_view>({"params", "tmpdir", "dry-run", "noop", "yes"}));

int run_task_run(Session& session, const CommandLine& line) {
    return run_action(session, line, [&] {
        const tasks::Library& library = session.library();
        const auto task = library.find_task(*line.object);
        const ActionOptions& action = line.options.action;
        Json given = action.params ? *action.params : Json::object();
        if (!action.params || !line.params.empty())
            given.update(tasks::typed_arguments(*task, line.params, library));
        const UnderscoreOptions options = take_underscore_options(given);
        const bool noop = action.noop || options.noop;
        tasks::Arguments arguments = tasks::check_arguments(*task, given, noop, library, !action.params);
        return planner::Action{planner::TaskAction{task, std::move(arguments), noop}, options.run_as,
                               options.description};
    });
}

}  // namespace

const Verb& task_run_verb() {
    static constexpr Verb verb{
        .noun = "task",
        .action = "run",
        .summary = "Run a task on targets",
        .usage =
            "task run <task> [parameter=value ...] {--targets TARGETS | --query QUERY | --rerun FILTER} "
            "[options]",
        .description =
            "Runs a task of a module on every target. A value is read as JSON where the parameter's type "
            "takes it, else as text; --params takes all parameters as one JSON object. With --noop a task "
            "that supports it only reports what it would change.",
        .guide = "tasks",
        .examples =
            "volley task run package action=status name=bash -t all\n"
            "volley task run service --params '{\"action\": \"restart\", \"name\": \"nginx\"}' -t web1",
        .options = task_run_options,
        .needs_targets = true,
        .run = run_task_run,
    };
    return verb;
}

}  // namespace volley::cli
