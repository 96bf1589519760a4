#include "cli/run/run_action.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "planner/apply/agentless/agent_queries.hpp"

namespace volley::cli {
namespace {

constexpr auto facts_verb_options =
    join_options(action_options, std::to_array<std::string_view>({"show-legacy", "to-yaml", "tmpdir"}));

int run_facts(Session& session, const CommandLine& line) {
    std::vector<std::string> names = line.leftovers;
    if (line.object) names.insert(names.begin(), *line.object);
    return run_action(session, line, [&](transports::Runtime& runtime) {
        auto tools = std::make_shared<planner::ApplyTools>(session.config(), session.library(), runtime);
        return planner::Action{planner::ProcedureAction{std::make_shared<planner::AgentFactsProcedure>(
            std::move(tools), names, line.options.action.show_legacy)}};
    });
}

}  // namespace

const Verb& facts_verb() {
    static constexpr Verb verb{
        .noun = "facts",
        .action = {},
        .summary = "Show the facts of targets",
        .usage = "facts [name ...] {--targets TARGETS | --query QUERY | --rerun FILTER} [options]",
        .description =
            "Shows what each target is: its system, hardware, network and so on, with the names and values "
            "of Facter, external facts and those of the project's modules included. With names only these "
            "facts are shown; points lead into them. Volley's own agent does it, so that nothing has to be "
            "installed on the targets.",
        .guide = "apply",
        .examples =
            "volley facts -t web1\n"
            "volley facts os.release.full memory.system.available -t web\n"
            "volley facts networking.ip -t all --format json",
        .options = facts_verb_options,
        .needs_targets = true,
        .run = run_facts,
    };
    return verb;
}

}  // namespace volley::cli
