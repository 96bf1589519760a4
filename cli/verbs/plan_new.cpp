#include "cli/run/session.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "planner/plan/plan_creator.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

constexpr auto plan_new_options =
    join_options(context_options, std::to_array<std::string_view>({"pp", "script", "format"}));

/// OPT-036: a plan can be shared, so its script has to be found wherever the module is: a path of this
/// machine is refused, and so is a reference that does not say in which of the two folders the script is.
void check_reference(const std::string& script) {
    const std::vector<std::string> parts = split(script, '/');
    const bool names_folder = parts.size() > 1 && (parts[1] == "scripts" || parts[1] == "files");
    std::error_code none;
    if (names_folder && !script.starts_with('/') && !std::filesystem::exists(script, none)) return;
    throw Error("bolt/cli-error",
                "The script of a plan must be given as module, folder and file, such as "
                "'mymodule/scripts/myscript.sh' or 'mymodule/files/myscript.sh', not as '" +
                    script + "'");
}

int run_plan_new(Session& session, const CommandLine& line) {
    const ActionOptions& action = line.options.action;
    if (action.plan_script) {
        check_reference(*action.plan_script);
        const auto script = session.library().find_file(*action.plan_script);
        check_readable(script.value_or(*action.plan_script), "script", false);
    }
    const planner::NewPlan wanted{*line.object, action.puppet_plan, action.plan_script};
    const std::filesystem::path path = planner::create_plan(session.config().project, wanted);
    session.out().print_new_plan(wanted.name, path);
    return 0;
}

}  // namespace

const Verb& plan_new_verb() {
    static constexpr Verb verb{
        .noun = "plan",
        .action = "new",
        .summary = "Create a plan in the project",
        .usage = "plan new <plan> [options]",
        .description =
            "Writes a small plan to start from into the project: in YAML, or with --pp in the Puppet "
            "language. With "
            "--script the plan runs a script of a module.",
        .guide = "plans",
        .examples =
            "volley plan new myproject::deploy\nvolley plan new myproject::deploy --pp\n"
            "volley plan new myproject::setup --script myproject/scripts/setup.sh",
        .options = plan_new_options,
        .needs_targets = false,
        .run = run_plan_new,
    };
    return verb;
}

}  // namespace volley::cli
