#include "cli/run/run_action.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"

namespace volley::cli {
namespace {

constexpr auto command_run_options =
    join_options(action_options, rollout_options,
                 std::to_array<std::string_view>({"env-var", "tmpdir", "dry-run", "yes"}));

int run_command_run(Session& session, const CommandLine& line) {
    return run_action(session, line, [&] {
        return planner::Action{planner::CommandAction{*line.object, line.options.action.environment}, {}, {}};
    });
}

}  // namespace

const Verb& command_run_verb() {
    static constexpr Verb verb{
        .noun = "command",
        .action = "run",
        .summary = "Run a command on targets",
        .usage = "command run <command> {--targets TARGETS | --query QUERY | --rerun FILTER} [options]",
        .description =
            "Runs a command line in the shell of every target and shows what it printed. The command may "
            "also be '@FILE' to read it from a file, or '-' to read it from standard input.",
        .guide = "targets",
        .examples =
            "volley command run uptime -t web1,web2\n"
            "volley command run 'systemctl restart nginx' -t webservers --run-as root\n"
            "volley command run @check.sh -t all --format ndjson",
        .options = command_run_options,
        .needs_targets = true,
        .run = run_command_run,
    };
    return verb;
}

}  // namespace volley::cli
