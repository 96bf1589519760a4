#include <filesystem>
#include <system_error>

#include "cli/migration/migration.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "support/error.hpp"

namespace volley::cli {
namespace {

constexpr auto project_migrate_options =
    std::to_array<std::string_view>({"project", "inventoryfile", "color", "yes"});

/// The user's own project is made when there is none, and must not be taken for the one that is meant
/// (USER-A6).
void check_there_is_a_project(const Session& session) {
    const inventory::Project& project = session.config().project;
    if (project.type != inventory::ProjectType::User && project.type != inventory::ProjectType::System)
        return;
    std::error_code ignored;
    for (const char* file : {"bolt.yaml", "bolt-project.yaml", "inventory.yaml", "Puppetfile"}) {
        if (std::filesystem::exists(project.path / file, ignored)) return;
    }
    throw Error(
        "bolt/project-error",
        "There is nothing to migrate: neither " + session.process().working_directory.string() +
            " nor a directory above it has a bolt.yaml, bolt-project.yaml or Boltdir. Name the project with "
            "--project");
}

/// Migrates configuration, inventory and modules, after asking (MGT-014).
int run_project_migrate(Session& session, const CommandLine& line) {
    const bool yes = line.options.action.yes;
    if (!yes && !session.process().standard_input_is_terminal)
        throw Error("bolt/stdin-not-a-tty-error",
                    "stdin is not a tty, unable to migrate project; --yes migrates without asking");
    check_there_is_a_project(session);
    Migration migration(session, yes);
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
            "Rewrites the files of a project that an older Bolt made, in this folder or the nearest one "
            "above that has "
            "a bolt.yaml, bolt-project.yaml or Boltdir: inventories with nodes, bolt.yaml, "
            "options with "
            "old names, modules of a Puppetfile. Asks first, unless --yes is given; what it changes is "
            "copied into .bolt-bak.",
        .guide = "project",
        .examples = "volley project migrate\nvolley project migrate --yes",
        .options = project_migrate_options,
        .needs_targets = false,
        .run = run_project_migrate,
        .finds_old_projects = true,
    };
    return verb;
}

}  // namespace volley::cli
