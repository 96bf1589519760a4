#include "cli/migration/migration.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "support/error.hpp"

namespace volley::cli {
namespace {

constexpr auto project_migrate_options =
    std::to_array<std::string_view>({"project", "inventoryfile", "color"});

/// MGT-014.
int run_project_migrate(Session& session, const CommandLine&) {
    if (!session.surroundings().standard_input_is_terminal)
        throw Error("bolt/stdin-not-a-tty-error", "stdin is not a tty, unable to migrate project");
    Migration migration(session);
    session.out().print_message("Migrating project " + session.config().project.path.string() + "\n\n");
    session.out().print_action_step(
        "Migrating a project might make irreversible changes to the project's configuration and inventory "
        "files. Before "
        "continuing, make sure the project has a backup or uses a version control system.");
    if (!migration.ask("Continue with project migration?")) return 0;
    session.out().print_message("");
    if (migration.inventory() && migration.configuration() && migration.modules()) {
        session.out().print_message("Project successfully migrated");
        return 0;
    }
    session.out().print_message("Project could not be migrated completely");
    return 1;
}

}  // namespace

const Verb& project_migrate_verb() {
    static constexpr Verb verb{
        .noun = "project",
        .action = "migrate",
        .summary = "Bring an old project up to date",
        .usage = "project migrate [options]",
        .description =
            "Rewrites the files of a project that an older Bolt made: inventories with nodes, bolt.yaml, "
            "options with "
            "old names, modules of a Puppetfile. Asks first; what it changes is kept in .bolt-bak.",
        .guide = "project",
        .examples = "volley project migrate",
        .options = project_migrate_options,
        .needs_targets = false,
        .run = run_project_migrate,
    };
    return verb;
}

}  // namespace volley::cli
