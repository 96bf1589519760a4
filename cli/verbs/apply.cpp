#include "cli/run/run_action.hpp"
#include "cli/run/run_apply.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "planner/apply/agentless/clean_state.hpp"
#include "support/files.hpp"

namespace volley::cli {
namespace {

constexpr auto apply_verb_options =
    join_options(action_options, rollout_options,
                 std::to_array<std::string_view>(
                     {"execute", "noop", "compile-concurrency", "hiera-config", "apply-method", "show-diff",
                      "tags", "skip-tags", "ignore-schedules", "report", "clean-state", "tmpdir", "yes"}));

int run_apply_verb(Session& session, const CommandLine& line) {
    if (line.options.action.clean_state) {
        return run_action(session, line, [] {
            const auto procedure = std::make_shared<planner::CleanStateProcedure>();
            return planner::Action{planner::ProcedureAction{procedure}};
        });
    }
    if (line.options.action.code) return run_apply(session, line, *line.options.action.code, "");
    const std::filesystem::path file = expand_path(*line.object, session.process().working_directory);
    check_readable(file, "manifest", false);
    return run_apply(session, line, read_file(file, "manifest"), *line.object);
}

}  // namespace

const Verb& apply_verb() {
    static constexpr Verb verb{
        .noun = "apply",
        .action = {},
        .summary = "Apply Puppet code to targets",
        .usage = "apply [manifest] [options]",
        .description =
            "Compiles a catalog for each target from a manifest, or from the code of --execute, and applies "
            "it with Volley's own agent, which needs nothing on the target, or, where a catalog holds types "
            "that only Ruby knows, with the target's puppet-agent; --apply-method chooses one of them. The "
            "facts of the targets are gathered first. A puppet-agent is installed only when the project has "
            "a puppet_library hook, or with --apply-method puppet-agent.",
        .guide = "apply",
        .examples =
            "volley apply site.pp -t web\n"
            "volley apply -e \"file { '/etc/motd': content => 'hello' }\" -t web1.example.com --noop "
            "--show-diff",
        .options = apply_verb_options,
        .needs_targets = true,
        .run = run_apply_verb,
    };
    return verb;
}

}  // namespace volley::cli
