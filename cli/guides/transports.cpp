#include "cli/outputters/outputter.hpp"

namespace volley::cli {

Guide transports_guide() {
    return {
        .topic = "transports",
        .text = R"guide(A transport is the way to reach a target. The URI or the inventory names it:

  ssh      the default; built in, or the ssh program with --native-ssh
  local    this machine, without a network
  remote   devices that have no shell: tasks run on another target for them

In the inventory each transport has a section of options of its own:

    config:
      transport: ssh
      ssh:
        user: deploy
        private-key: ~/.ssh/id_ed25519
        connect-timeout: 10
        run-as: root

On the command line, --user, --password-prompt, --private-key, --run-as,
--connect-timeout and others set the same options for every target; what the
inventory says about a target goes before them.
)guide",
        .documentation = "docs/ssh.md",
    };
}

}  // namespace volley::cli
