#include "planner/ping/ping.hpp"

#include "cli/run/run_action.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"

namespace volley::cli {
namespace {

constexpr auto ping_options =
    join_options(action_options, rollout_options, std::to_array<std::string_view>({"tmpdir"}));

int run_ping(Session& session, const CommandLine& line) {
    return run_action(session, line, [] {
        return planner::Action{planner::ProcedureAction{std::make_shared<planner::PingProcedure>()}};
    });
}

}  // namespace

const Verb& ping_verb() {
    static constexpr Verb verb{
        .noun = "ping",
        .action = {},
        .summary = "Check whether targets can be reached and used",
        .usage = "ping {--targets TARGETS | --query QUERY | --rerun FILTER} [options]",
        .description =
            "Connects to each target, logs in, becomes the --run-as user, and checks what actions need: a "
            "shell, and a temporary directory in which programs run. Shows the login user, how long the "
            "login and a command take, and how far the clock is off. Leaves nothing on the targets. "
            "--log-level debug shows each step of a login.",
        .guide = "debugging",
        .examples =
            "volley ping -t all\nvolley ping -t web --run-as root --timeout 10\n"
            "volley ping -t all --format table --fields target,status,value.login_time,value.user,message",
        .options = ping_options,
        .needs_targets = true,
        .run = run_ping,
    };
    return verb;
}

}  // namespace volley::cli
