#include "cli/outputters/outputter.hpp"

namespace volley::cli {

Guide module_guide() {
    return {
        .topic = "module",
        .text = R"guide(A module is a folder that brings tasks, plans, files and Puppet code along:

    mymodule/
      tasks/        programs that run on targets, with metadata in NAME.json
      plans/        plans
      files/        files to upload
      scripts/      scripts to run
      manifests/    Puppet classes

The task tasks/restart.sh of the module `nginx` is called nginx::restart; the
task tasks/init.sh is called like the module. A script or file of a module can
be named in place of a path: `volley script run mymodule/cleanup.sh`.

Put a module into the folder modules/ of your project and it is found.
`volley module show` lists all modules, `volley module show NAME` the tasks and
plans of one. A project that has a name is a module itself.

`volley module add OWNER/NAME` takes a module from the Forge: it goes into
`modules` in bolt-project.yaml, and with everything that it needs into
.modules/. The Puppetfile says which versions these are, and `volley module
install` installs just them. `volley module install --force` updates them.
)guide",
        .documentation = "docs/modules.md",
    };
}

}  // namespace volley::cli
