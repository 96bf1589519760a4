#include "cli/run/module_stage.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"

namespace volley::cli {
namespace {

constexpr auto module_add_options = std::to_array<std::string_view>({"project", "format", "color"});

int run_module_add(Session& session, const CommandLine& line) {
    ModuleStage stage(session, session.config().project.path);
    stage.need_project_file();
    if (modules::add_project_module(stage.paths(), *line.object, stage.sources(), stage))
        stage.finish(session.library().modulepath());
    return 0;
}

}  // namespace

const Verb& module_add_verb() {
    static constexpr Verb verb{
        .noun = "module",
        .action = "add",
        .summary = "Add a module to the project",
        .usage = "module add <module> [options]",
        .description =
            "Puts a module of the Forge into bolt-project.yaml, works out which versions of it and of what "
            "it needs go "
            "together, writes them into the Puppetfile and installs them into .modules. Modules that are "
            "installed keep "
            "their versions unless that cannot be.",
        .guide = "module",
        .examples = "volley module add puppetlabs/apt",
        .options = module_add_options,
        .needs_targets = false,
        .run = run_module_add,
    };
    return verb;
}

}  // namespace volley::cli
