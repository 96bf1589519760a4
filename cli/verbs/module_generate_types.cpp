#include "cli/run/module_stage.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "planner/module_install/type_references.hpp"
#include "support/log.hpp"

namespace volley::cli {
namespace {

/// Writes references to the resource types of modules into .resource_types (MGT-012).
int run_module_generate_types(Session& session, const CommandLine&) {
    const auto folder = type_reference_folder(session.config().project.path);
    const auto names = modules::write_type_references(session.library().modulepath(), folder);
    log(LogLevel::Info, "cli",
        "Wrote references to " + std::to_string(names.size()) + " resource types into " + folder.string());
    return 0;
}

}  // namespace

const Verb& module_generate_types_verb() {
    static constexpr Verb verb{
        .noun = "module",
        .action = "generate-types",
        .summary = "Generate references to resource types",
        .usage = "module generate-types [options]",
        .description =
            "Writes a file into .resource_types of the project for each resource type that modules define in "
            "Ruby, as "
            "Bolt does. Volley itself reads the Ruby and needs no such files.",
        .guide = "module",
        .examples = "volley module generate-types",
        .options = context_options,
        .needs_targets = false,
        .run = run_module_generate_types,
    };
    return verb;
}

}  // namespace volley::cli
