#include "cli/outputters/outputter.hpp"

namespace volley::cli {

Guide targets_guide() {
    return {
        .topic = "targets",
        .text = R"guide(Targets are the machines that a command works on. Choose them with one of

  --targets, -t   names, as below; may be repeated
  --rerun         targets of the last run: all, failure or success

A name can be
  - a target or an alias from the inventory: web1
  - a group: webservers; the group `all` holds every target
  - a pattern for names of either: 'web*', '{web,db}1'
  - a range: 'web[001-020,030]'
  - targets of the last run: @rerun:failure, @last:ok
  - a new target, by host name or URI: host.example.com, ssh://user@host:2222
  - localhost, for this machine

Commas and white space separate names. '!x' or '-x' leaves targets out, '&x'
keeps those that are in both: 'web,!web3'. --limit, --exclude and --sample
narrow whatever was chosen. A name that the inventory does not have and that
does not look like an address is refused, unless --allow-adhoc is used.
`-t @FILE` reads names from a file and `-t -` from standard input.

Targets are worked on at the same time, up to --concurrency at once. What goes
wrong on one does not stop the others; the exit status is 1 if any failed.
)guide",
        .documentation = "docs/run-a-command.md",
    };
}

}  // namespace volley::cli
