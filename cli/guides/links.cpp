#include "cli/outputters/outputter.hpp"

namespace volley::cli {

Guide links_guide() {
    return {
        .topic = "links",
        .text = R"guide(Where to read on.

Volley's own pages are in the folder doc/volley below the share folder of the
installation, for example /usr/share/doc/volley, and in docs/ of the source.
`man volley` shows all options.

Volley reads the projects of Puppet Bolt and OpenBolt. Their pages have more
about tasks, plans and inventories:

  https://docs.openvoxproject.org/openbolt/latest/bolt.html
  https://docs.openvoxproject.org/openbolt/latest/tasks.html

Modules with tasks to use are on the Puppet Forge:

  https://forge.puppet.com
)guide",
        .documentation = "",
    };
}

}  // namespace volley::cli
