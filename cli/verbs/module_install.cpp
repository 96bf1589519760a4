#include "cli/run/module_stage.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"

namespace volley::cli {
namespace {

constexpr auto module_install_options =
    std::to_array<std::string_view>({"force", "resolve", "project", "format", "color"});

int run_module_install(Session& session, const CommandLine& line) {
    ModuleStage stage(session, session.config().project.path);
    stage.need_project_file();
    modules::InstallOptions options;
    options.force = line.options.action.force;
    options.resolve = line.options.action.resolve.value_or(true);
    const auto specs = modules::read_project_specs(stage.paths().project_file);
    if (specs.empty() && options.resolve) {
        stage.message("Project configuration file " + stage.paths().project_file.string() +
                      " does not specify any module dependencies. Nothing to do.");
        return 0;
    }
    modules::install_project_modules(stage.paths(), specs, options, stage.sources(), stage);
    stage.finish(session.library().modulepath());
    return 0;
}

}  // namespace

const Verb& module_install_verb() {
    static constexpr Verb verb{
        .noun = "module",
        .action = "install",
        .summary = "Install the project's modules",
        .usage = "module install [options]",
        .description =
            "Installs what the Puppetfile names into .modules and removes everything else from there. "
            "Without a "
            "Puppetfile, or with --force, the modules of bolt-project.yaml and what they need are worked out "
            "first and "
            "written into it. With --no-resolve the Puppetfile is taken as it is.",
        .guide = "module",
        .examples = "volley module install\nvolley module install --force",
        .options = module_install_options,
        .needs_targets = false,
        .run = run_module_install,
    };
    return verb;
}

}  // namespace volley::cli
