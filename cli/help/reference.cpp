#include "cli/help/reference.hpp"

#include "cli/help/help.hpp"
#include "cli/verb.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

constexpr std::string_view introduction = R"(# The command line

Made from the program's own tables; `volley help` shows the same, and `man volley` too.

    volley <subcommand> [action] [options]

- Options may stand anywhere. `--` ends them: what follows is taken as it is.
- `--option VALUE` and `--option=VALUE`, `-oVALUE` and `-o VALUE` mean the same.
- A long option may be shortened as long as it stays clear: `--targ` for `--targets`.
- `--[no-]x` stands for `--x` and its opposite `--no-x`.
- `_` may stand for `-` in a long option: `--run_as` for `--run-as`.
- An option that a command has no use for is ignored.
- Values of `--targets` and `--params`, and the command of `command run`, may be `@FILE` to read them from a file, or
  `-` to read them from standard input. They are used as they are: a newline at the end stays.

)";

constexpr std::string_view ending = R"(## Exit status

| status | meaning |
|---|---|
| 0 | everything went well on every target |
| 1 | something failed on a target, or the command could not be carried out |
| 130, 143, 129 | the run was interrupted by SIGINT (Ctrl-C), SIGTERM or SIGHUP |

## Output formats

- `human`: text for people. On a terminal a live view at the bottom counts targets while results come in above it,
  names those that have been running for the longest time with what they said last, and shows what has failed so far
  (`?` explains its keys, `--no-live` makes it one line, `spinner: false` in bolt-project.yaml switches it off).
  When more than five targets failed, each different error is shown again with its targets before the summary;
  errors that differ in numbers only are one. Above ten targets one line says who is started, and the summary folds
  names: `node[001-005,007]`. Failures are shown with `--no-verbose`, too. Runs of few targets look as in Bolt.
- `json`: one JSON document, as Bolt writes it: `{"items": [...], "target_count": N, "elapsed_time": N}`. Items come in
  the order in which targets were done. With `--stream` the lines of output go to standard error.
- `ndjson`: one JSON object a line as things happen; `event` says what it is:
  `started` (target, action, description, time), `output` (target, stream, text; with `--stream`), `result` (the keys
  of an item of `json`, and elapsed_time in seconds), `interrupted` (running), `summary` (target_count, success_count,
  failure_count, failed, elapsed_time), `message` (text), `error` (error); of plans `plan_started` (plan),
  `plan_finished` (plan, elapsed_time), `plan_result` (status, value). `step` of started, output and result is a number
  that joins the events of one action: in a plan several may run at once. Lists are one line, without `event`.
- `rainbow`: `human` in many colors.

Colors need a terminal; `--no-color`, `color: false`, the environment variable `NO_COLOR` or `TERM=dumb` switch them off.
Results go to standard output, messages to standard error. An error that ends the program is part of the output in the
chosen format; before the configuration is read it is plain text.

When the reader of the output goes away (`volley ... | head`), Volley stops what runs on targets, tidies up there and
ends with status 1. When any other write fails, say on a full disk, the targets are finished, the reason is printed on
standard error, and the status is 1.

## Environment

| variable | meaning |
|---|---|
| `BOLT_PROJECT` | the project; goes before `--project` |
| `BOLT_INVENTORY` | the inventory itself, as YAML; goes before every file |
| `NO_COLOR` | set to anything: no colors |
| `VOLLEY_PAGER`, `PAGER` | what shows long help on a terminal, where there is a choice; empty or `cat`: nothing does (default: `less`) |
| `SSH_AUTH_SOCK` | the SSH agent |

## Shell completions

The tab key completes verbs, options and what belongs to them: targets and groups of the inventory, tasks, plans, their
parameters with the values that an Enum or a Boolean allows, modules, policies, guides, and files where a file belongs. It knows
the project of the current folder, or that of `--project`, from its files: no plugin is run and nothing is connected to, so targets
that a plugin finds are not completed. Packages bring the completions along; by hand:

| shell | where it goes |
|---|---|
| bash | `source <(volley --completions bash)` in `~/.bashrc` |
| zsh | `volley --completions zsh > DIR/_volley`, where DIR is in `fpath` before `compinit` |
| fish | `volley --completions fish > ~/.config/fish/completions/volley.fish` |
)";

std::string in_table(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '|') out += '\\';
        out += c;
    }
    return out;
}

void add_verbs(std::string& out) {
    out += "## Subcommands\n\n";
    for (const Verb* verb : verbs()) {
        const std::string name =
            std::string(verb->noun) + (verb->action.empty() ? "" : " ") + std::string(verb->action);
        out += "### " + name + "\n\n    volley " + std::string(verb->usage) + "\n\n" +
               std::string(verb->description) + "\n";
        for (const std::string& example : split(verb->examples, '\n')) out += "\n    " + example;
        out += "\n\n";
    }
}

void add_options(std::string& out, std::span<const OptionInfo> options) {
    out += "## Options\n\n| option | meaning |\n|---|---|\n";
    for (const OptionInfo& option : options) {
        const std::string forms = option_forms(option);
        out += "| `" + in_table(trim(forms)) + "` | " + in_table(option.description) + " |\n";
    }
    out += "\n";
}

}  // namespace

std::string reference_page(std::span<const OptionInfo> options) {
    std::string out(introduction);
    add_verbs(out);
    add_options(out, every_option(options));
    out += ending;
    return out;
}

}  // namespace volley::cli
