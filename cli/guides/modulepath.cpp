#include "cli/outputters/outputter.hpp"

namespace volley::cli {

Guide modulepath_guide() {
    return {
        .topic = "modulepath",
        .text = R"guide(The modulepath is the list of folders in which Volley looks for modules. The
first module of a name wins:

  1. the project itself, if bolt-project.yaml names it
  2. the folders of `modulepath` in bolt-project.yaml, or modules/ if it says
     nothing; --modulepath replaces them for one run
  3. .modules/ in the project, for what `volley module install` installs
  4. the modules that come with Volley

Relative folders in bolt-project.yaml begin at the project, those on the command
line at the current folder. Several are separated by a colon.

`volley task show` prints the modulepath below the list of tasks.
)guide",
        .documentation = "docs/command-line.md",
    };
}

}  // namespace volley::cli
