#include "cli/outputters/outputter.hpp"

namespace volley::cli {

Guide inventory_guide() {
    return {
        .topic = "inventory",
        .text = R"guide(The inventory says which targets there are, how they are grouped, and how to
reach them. It is the file inventory.yaml in the project's folder, another file
given with --inventoryfile, or the text in the environment variable
BOLT_INVENTORY, which goes before both.

    config:
      ssh:
        user: deploy
    groups:
      - name: webservers
        targets:
          - web1.example.com
          - name: web2
            uri: 192.0.2.12
            alias: [second]
        vars:
          port: 8080

A target is a URI, or a map with a name, a URI and data of its own. Groups hold
targets and further groups; everything belongs to the group `all`.

Groups and targets may carry config, vars, facts and features. Where two say
different things, the target's own word counts, then that of the innermost
group, then the groups around it; options on the command line come last.

`volley inventory show` lists targets, `volley group show` lists groups.
)guide",
        .documentation = "docs/inventory.md",
    };
}

}  // namespace volley::cli
