#include "cli/run/session.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "tasks/parameters.hpp"

namespace volley::cli {
namespace {

constexpr auto task_show_options =
    join_options(context_options, std::to_array<std::string_view>({"filter", "format"}));

int run_task_show(Session& session, const CommandLine& line) {
    const tasks::Library& library = session.library();
    if (line.object) {
        const auto task = library.find_task(*line.object);
        tasks::check_parameter_types(*task, library);
        session.out().print_task(*task);
    } else {
        session.out().print_tasks(TaskListing{library.list_tasks(line.options.display.filter.value_or("")),
                                              session.config().modulepath});
    }
    return 0;
}

}  // namespace

const Verb& task_show_verb() {
    static constexpr Verb verb{
        .noun = "task",
        .action = "show",
        .summary = "Show tasks, or one task and its parameters",
        .usage = "task show [task] [options]",
        .description =
            "Without a name, lists the tasks of the project's modules. With a name, shows what that task "
            "does and which parameters it takes.",
        .guide = "tasks",
        .examples = "volley task show\nvolley task show --filter package\nvolley task show package",
        .options = task_show_options,
        .needs_targets = false,
        .run = run_task_show,
    };
    return verb;
}

}  // namespace volley::cli
