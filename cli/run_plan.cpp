#include "cli/run_plan.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "cli/plan_stage.hpp"
#include "planner/plan/plan_error.hpp"
#include "planner/plan/plan_log.hpp"
#include "planner/plan/plan_parameters.hpp"
#include "planner/plan/plan_report.hpp"
#include "planner/plan/plan_run.hpp"
#include "planner/rerun.hpp"

namespace volley::cli {
namespace {

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
    planner::PlanLogRequest request{*line.object, parameters, session.config().project.path, session.surroundings().home,
                                    std::nullopt, std::nullopt};
    if (action.plan_log) request.record = here / *action.plan_log;
    if (action.resume) request.resume = here / *action.resume;
    log.open(request);
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
    session.out().begin_plan();
    PlanStage stage(session);
    planner::PlanReport report;
    const std::optional<std::string>& report_file = line.options.action.report;
    if (report_file) stage.executor().add_listener(report);
    planner::PlanLog log;
    planner::PlanRun run(stage.world(line.options.action.noop, &log));
    const planner::PlanOutcome outcome = execute_plan(session, line, run, log);
    stage.close();
    write_plan_rerun(session, outcome);
    session.out().print_plan_outcome(outcome);
    if (report_file) report.write(session.surroundings().working_directory / *report_file, *line.object, outcome);
    return outcome.ok() ? 0 : 1;
}

}  // namespace volley::cli
