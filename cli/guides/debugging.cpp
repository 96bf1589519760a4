#include "cli/outputters/outputter.hpp"

namespace volley::cli {

Guide debugging_guide() {
    return {
        .topic = "debugging",
        .text = R"guide(When a run does not do what you expect, look at these in turn.

The message itself. Every error names what was wrong and where: a file with its
line, or a target. `--trace` adds the error's kind and its details.

What Volley believes. `volley inventory show --detail -t NAME` prints the
configuration that one target ends up with after all groups are merged.
`volley task show` lists the tasks that were found and the folders searched.

The log. bolt-debug.log in the project's folder holds debug messages of the last
run: which project and files were read, what was run on each target with which
parameters, each step of each connection. To see them as they come, add
`--log-level debug`, or `info` for what was run alone. Secrets are left out of
the log, but the output of commands is in it, so the file can be read by you
alone.

A single target. Most trouble with connections shows best on one target with
`--connect-timeout 5 --log-level debug`: time, address, the server's version and
algorithms, the fingerprint of its host key, each key that was offered and
whether it was accepted. `--log-level trace` adds the settings that were used
and what server and agent have. Compare with what `ssh -v USER@HOST true` says.
)guide",
        .documentation = "docs/run-a-command.md",
    };
}

}  // namespace volley::cli
