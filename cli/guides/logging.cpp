#include "cli/outputters/outputter.hpp"

namespace volley::cli {

Guide logging_guide() {
    return {
        .topic = "logging",
        .text = R"guide(Volley writes messages in six levels: trace, debug, info, warn, error, fatal.

On the screen you see warnings and worse, on standard error, so that they do not
mix with results. `--log-level LEVEL` changes that for one run. From `debug` on
each line begins with its time, its level and where it comes from.

A project can send messages to files as well, in bolt-project.yaml:

    log:
      console:
        level: info
      ~/logs/volley.log:
        level: debug
        append: false

Without further settings, debug messages go to bolt-debug.log in the project's
folder, which begins anew with every run. To be rid of it:

    log:
      bolt-debug.log: disable

Warnings end with an ID, such as [ID: unknown_option]. List IDs under
`disable-warnings` in bolt-project.yaml to silence them.
)guide",
        .documentation = "docs/command-line.md",
    };
}

}  // namespace volley::cli
