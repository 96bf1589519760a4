#include "cli/outputters/outputter.hpp"

namespace volley::cli {

Guide project_guide() {
    return {
        .topic = "project",
        .text = R"guide(A project is a folder that holds what belongs to one piece of work:

    bolt-project.yaml   settings, and the project's name
    inventory.yaml      targets
    modules/            modules
    tasks/ plans/ files/ scripts/   content of the project itself

Volley uses the project that it finds first: the folder in the environment
variable BOLT_PROJECT, the folder given with --project, the current folder or
the nearest one above it that has a bolt-project.yaml or a folder Boltdir. Else
it is ~/.puppetlabs/bolt. The file names are those of Bolt, so that one project
serves both programs.

`volley project init NAME` makes the current folder a project. Content of the
project's own folders is found under the project's name: tasks/backup.sh in the
project `shop` is the task shop::backup.
)guide",
        .documentation = "docs/command-line.md",
    };
}

}  // namespace volley::cli
