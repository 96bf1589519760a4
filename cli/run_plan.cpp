#include "cli/run_plan.hpp"

#include <cerrno>
#include <csignal>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "cli/display_names.hpp"
#include "cli/plan_terminal.hpp"
#include "cli/status_line.hpp"
#include "planner/executor.hpp"
#include "planner/plan/plan_error.hpp"
#include "planner/plan/plan_log.hpp"
#include "planner/plan/plan_parameters.hpp"
#include "planner/plan/plan_report.hpp"
#include "planner/plan/plan_run.hpp"
#include "planner/rerun.hpp"
#include "transports/runtime.hpp"

namespace volley::cli {
namespace {

planner::ExecutorSettings plan_executor_settings(const inventory::Config& config) {
    planner::ExecutorSettings settings;
    settings.concurrency = static_cast<std::size_t>(config.concurrency);
    settings.stream = config.stream;
    settings.script_interpreter = config.script_interpreter;
    settings.keep_sessions = true;
    return settings;
}

/// ARG-011: the targets of a ResultSet, also one inside a failure; any other result takes the file away.
void write_plan_rerun(Session& session, const planner::PlanOutcome& outcome) {
    if (!session.config().save_rerun) return;
    const Value& result = outcome.ok() ? outcome.value : outcome.error_value;
    const auto* set = planner::object_in<planner::ResultSetObject>(result);
    if (!set && planner::is_error_value(result)) {
        const Value details = result.as<ObjectBase>().attribute("details").value_or(Value());
        const Value* inner = details.is_hash() ? details.as_hash().find("result_set") : nullptr;
        if (inner) set = planner::object_in<planner::ResultSetObject>(*inner);
    }
    if (set) return planner::write_rerun(session.config().rerun_file, set->plain());
    std::error_code ignored;
    std::filesystem::remove(session.config().rerun_file, ignored);
}

Value plan_command_line(Session& session, const CommandLine& line, planner::PlanRun& run) {
    const ActionOptions& action = line.options.action;
    Json given = action.params ? *action.params : planner::typed_plan_arguments(run, *line.object, line.params);
    return planner::plan_arguments(run, *line.object, std::move(given), session.target_specs(line.options.target));
}

void open_plan_log(Session& session, const CommandLine& line, const Value& parameters, planner::PlanLog& log) {
    const ActionOptions& action = line.options.action;
    const std::filesystem::path here = session.surroundings().working_directory;
    const Json given = planner::plan_json(parameters);
    // Read before it is written: both may be the same file.
    if (action.resume) log.resume_from(here / *action.resume, *line.object, given);
    if (action.plan_log) log.write_to(here / *action.plan_log, *line.object, given);
}

planner::PlanOutcome execute_plan(Session& session, const CommandLine& line, planner::PlanRun& run, planner::PlanLog& log) {
    planner::PlanOutcome outcome;
    try {
        const Value parameters = plan_command_line(session, line, run);
        open_plan_log(session, line, parameters, log);
        return run.run(*line.object, parameters);
    } catch (const LanguageError& error) {
        outcome.error = planner::final_error(error);
    } catch (const Error& error) {
        outcome.error = planner::final_error(error);
    }
    return outcome;
}

}  // namespace

int run_plan(Session& session, const CommandLine& line) {
    inventory::Inventory& inventory = session.inventory();
    transports::Runtime runtime;
    const DisplayNames names = safe_display_names(inventory);
    session.out().set_display_names(names);
    session.out().begin_plan();
    EventLog event_log(names);
    std::optional<StatusLine> status_line;
    planner::Executor executor(runtime, inventory, session.library(), plan_executor_settings(session.config()));
    executor.add_listener(event_log);
    executor.add_listener(session.out());
    if (session.shows_status()) executor.add_listener(status_line.emplace(session.console(), runtime));
    session.console().on_error([&event_log](int error) {
        if (error != EPIPE) return;
        event_log.leave_quietly();
        ::raise(SIGTERM);
    });
    planner::PlanReport report;
    const std::optional<std::string>& report_file = line.options.action.report;
    if (report_file) executor.add_listener(report);
    PlanTerminal terminal(session, runtime);
    planner::PlanLog log;
    planner::PlanWorld world{runtime,          executor,  inventory,                   session.library(),
                             session.config(), &terminal, line.options.action.noop, &log};
    planner::PlanRun run(world);
    const planner::PlanOutcome outcome = execute_plan(session, line, run, log);
    session.console().on_error({});
    write_plan_rerun(session, outcome);
    session.out().print_plan_outcome(outcome);
    if (report_file) report.write(session.surroundings().working_directory / *report_file, *line.object, outcome);
    return outcome.ok() ? 0 : 1;
}

}  // namespace volley::cli
