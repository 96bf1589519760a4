#include "cli/run/run_action.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"

namespace volley::cli {
namespace {

constexpr auto script_run_options =
    join_options(action_options, rollout_options,
                 std::to_array<std::string_view>({"env-var", "tmpdir", "dry-run", "yes"}));

int run_script_run(Session& session, const CommandLine& line) {
    return run_action(session, line, [&] {
        const std::filesystem::path script = find_local_file(session, *line.object);
        check_readable(script, "script", false);
        return planner::Action{
            planner::ScriptAction{script, line.leftovers, line.options.action.environment}, {}, {}};
    });
}

}  // namespace

const Verb& script_run_verb() {
    static constexpr Verb verb{
        .noun = "script",
        .action = "run",
        .summary = "Run a local script on targets",
        .usage =
            "script run <script> [arguments] {--targets TARGETS | --query QUERY | --rerun FILTER} [options]",
        .description =
            "Copies a script to every target, runs it there and removes it. The script is a path, or "
            "'module/file' for one that a module brings along. Arguments reach the script as they are; "
            "put '--' before the first one that begins with a dash.",
        .guide = "targets",
        .examples =
            "volley script run cleanup.sh -t web1,web2\n"
            "volley script run cleanup.sh -t all --run-as root -- --older-than 7",
        .options = script_run_options,
        .needs_targets = true,
        .run = run_script_run,
    };
    return verb;
}

}  // namespace volley::cli
