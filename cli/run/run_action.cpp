#include "cli/run/run_action.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/outputters/listing.hpp"
#include "cli/records/last_run.hpp"
#include "cli/records/recorded_runs.hpp"
#include "cli/run/confirm.hpp"
#include "cli/run/output_folder.hpp"
#include "cli/run/progress_view.hpp"
#include "cli/run/recording.hpp"
#include "cli/terminal/plan_terminal.hpp"
#include "planner/executor.hpp"
#include "planner/interrupt.hpp"
#include "planner/results/rerun.hpp"
#include "support/error.hpp"
#include "support/log.hpp"
#include "support/text.hpp"
#include "transports/runtime.hpp"

namespace volley::cli {
namespace {

using DisplayNames = std::function<std::string(std::string_view)>;

/// Only targets whose name holds a password are called by another name.
DisplayNames display_names(const std::vector<inventory::Target>& targets) {
    std::map<std::string, std::string, std::less<>> safe_names;
    for (const inventory::Target& target : targets) {
        if (target.name().find('@') == std::string::npos && target.name().find("//") == std::string::npos)
            continue;
        safe_names.emplace(target.name(), target.safe_name());
    }
    return [safe_names = std::move(safe_names)](std::string_view name) {
        const auto at = safe_names.find(name);
        return at == safe_names.end() ? std::string(name) : at->second;
    };
}

planner::ExecutorSettings settings_of(const inventory::Config& config, bool live) {
    planner::ExecutorSettings settings;
    settings.concurrency = static_cast<std::size_t>(config.concurrency);
    settings.stream = config.stream || live;
    settings.script_interpreter = config.script_interpreter;
    return settings;
}

planner::ResultSet execute(Session& session, planner::RunRecorder* recorder,
                           const std::function<planner::Action(transports::Runtime&)>& make_action,
                           std::vector<inventory::Target> targets, const planner::Rollout& rollout) {
    transports::Runtime runtime;
    const PlanTerminal terminal(session, runtime);
    planner::Action action = make_action(runtime);
    action.rollout = rollout;
    const DisplayNames names = display_names(targets);
    session.out().set_display_names(names);
    EventLog event_log(names, [&session](const planner::Event& event) { return session.out().shows(event); });
    planner::Executor executor(runtime, session.inventory(), session.library(),
                               settings_of(session.config(), session.shows_live()));
    const std::unique_ptr<planner::EventListener> progress =
        make_progress_view(session, runtime, executor, names);
    executor.add_listener(event_log);
    executor.add_listener(session.out());
    std::optional<OutputFolder> files;
    if (recorder != nullptr) executor.add_listener(*recorder);
    if (session.output_dir()) executor.add_listener(files.emplace(*session.output_dir(), names));
    if (progress) executor.add_listener(*progress);
    // `volley ... | head`: nobody reads any more, so stop like Ctrl-C would, with targets tidied up.
    session.console().on_error([&event_log](int error) {
        if (error != EPIPE) return;
        event_log.leave_quietly();
        planner::InterruptHandler::request(SIGTERM);
    });
    planner::ResultSet results = executor.run_blocking(action, std::move(targets));
    session.console().on_error({});
    return results;
}

/// --dry-run: what would be done, and where.
void show_intent(Session& session, const planner::Action& action,
                 const std::vector<inventory::Target>& targets) {
    if (session.out().for_people())
        return session.out().print_message("Would run " + planner::action_description(action) + " on " +
                                           counted_targets(targets));
    std::vector<std::string> names;
    for (const inventory::Target& target : targets) names.push_back(target.safe_name());
    session.console().write_line(compact(Json{{"dry_run", true},
                                              {"action", planner::action_name(action)},
                                              {"object", planner::action_object(action)},
                                              {"targets", names}}));
}

}  // namespace

void explain_no_targets(Session& session, const TargetOptions& options) {
    if (options.rerun) {
        const std::string reason = planner::explain_empty_rerun(last_run(session), *options.rerun);
        if (session.out().for_people()) session.out().print_message(reason);
        return;
    }
    inventory::Inventory& inventory = session.inventory();
    // TSK-048: a group may be empty, an inventory that is asked for all its targets should have some.
    const bool wants_all = std::ranges::find(options.targets, "all") != options.targets.end();
    if (wants_all && inventory.target_names().empty()) {
        throw Error("bolt/cli-error",
                    "Nothing to do: " + (inventory.source_exists()
                                             ? inventory.source() + " defines no targets"
                                             : "there is no inventory (" + inventory.source() + ")"));
    }
    const std::string asked = options.query ? "The query found no targets"
                                            : "No target belongs to '" + join(options.targets, ", ") + "'";
    const bool narrowed = !options.limit.empty() || !options.exclude.empty();
    log_warning("no_targets", "cli",
                narrowed ? "No target is left after --limit and --exclude: nothing to do"
                         : asked + ": nothing to do");
}

int run_action(Session& session, const CommandLine& line,
               const std::function<planner::Action()>& make_action) {
    return run_action(session, line, [&](transports::Runtime&) { return make_action(); });
}

int run_action(Session& session, const CommandLine& line,
               const std::function<planner::Action(transports::Runtime&)>& make_action) {
    const std::vector<std::string> specs = session.target_specs(line.options.target);
    static_cast<void>(session.inventory());  // its faults are not part of the document
    if (line.options.action.dry_run) {
        transports::Runtime runtime;
        show_intent(session, make_action(runtime), session.targets(line.options.target, specs));
        return 0;
    }
    const UniqueFd lock = lock_resumed(session, line);
    session.out().print_head();
    const auto begin = std::chrono::steady_clock::now();
    std::vector<inventory::Target> targets = session.targets(line.options.target, specs);
    const auto what = [&make_action] {
        transports::Runtime runtime;
        return "Run " + planner::action_description(make_action(runtime));
    };
    confirm_targets(session, line, what, targets);
    planner::ResultSet results;
    if (targets.empty()) {
        explain_no_targets(session, line.options.target);
    } else {
        const auto recorder = record_run(session, line);
        results = execute(session, recorder.get(), make_action, std::move(targets), session.rollout(line));
        if (session.config().save_rerun) planner::write_rerun(session.config().rerun_file, results);
        // After the file for --rerun: what is newer than the record is of another run.
        if (recorder) recorder->finish(recorded_status(results.ok()));
    }
    session.out().print_summary(results, std::chrono::steady_clock::now() - begin);
    return results.ok() ? 0 : 1;
}

}  // namespace volley::cli
