#include "cli/run/run_plan.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <system_error>

#include "cli/options/underscore_options.hpp"
#include "cli/outputters/listing.hpp"
#include "cli/outputters/plan_graph_output.hpp"
#include "cli/records/recorded_runs.hpp"
#include "cli/run/confirm.hpp"
#include "cli/run/plan_stage.hpp"
#include "cli/run/recording.hpp"
#include "planner/checks/plan_analysis.hpp"
#include "planner/plan/plan_error.hpp"
#include "planner/plan/plan_log.hpp"
#include "planner/plan/plan_parameters.hpp"
#include "planner/plan/plan_run.hpp"
#include "planner/results/rerun.hpp"

namespace volley::cli {
namespace {

/// ARG-011: the targets of a ResultSet, also one inside a failure; any other result takes the file away.
void write_plan_rerun(Session& session, const planner::PlanOutcome& outcome, planner::RunRecorder* recorder) {
    if (!session.config().save_rerun) return;
    const Value& result = outcome.ok() ? outcome.value : outcome.error_value;
    const auto* set = planner::object_in<planner::ResultSetObject>(result);
    if (!set && planner::is_error_value(result)) {
        const Value details = result.as<ObjectBase>().attribute("details").value_or(Value());
        const Value* inner = details.is_hash() ? details.as_hash().find("result_set") : nullptr;
        if (inner) set = planner::object_in<planner::ResultSetObject>(*inner);
    }
    if (set) {
        if (recorder != nullptr) recorder->returned(set->plain());
        return planner::write_rerun(session.config().rerun_file, set->plain());
    }
    std::error_code ignored;
    std::filesystem::remove(session.config().rerun_file, ignored);
}

/// What the parameter `targets` gets: the words as they were typed, for the plan to resolve; the names of
/// those that are left when a choice was narrowed.
std::vector<std::string> plan_targets(Session& session, const CommandLine& line) {
    const TargetOptions& options = line.options.target;
    std::vector<std::string> specs = session.target_specs(options);
    const bool narrowed = !options.limit.empty() || !options.exclude.empty() || options.sample;
    if (specs.empty() || (options.targets.empty() && !narrowed)) return specs;
    const std::vector<inventory::Target> targets = session.targets(options, specs);
    if (!narrowed) return specs;
    std::vector<std::string> names;
    for (const inventory::Target& target : targets) names.push_back(target.name());
    return names;
}

Value plan_command_line(Session& session, const CommandLine& line, planner::PlanRun& run,
                        UnderscoreOptions& options) {
    const ActionOptions& action = line.options.action;
    Json given = action.params ? *action.params : Json::object();
    // Both only of a run that is done again (cli/records): what was not recorded is given anew.
    if (!action.params || !line.params.empty())
        given.update(planner::typed_plan_arguments(run, *line.object, line.params));
    options = take_underscore_options(given);
    return planner::plan_arguments(run, *line.object, std::move(given), plan_targets(session, line));
}

/// As run_plan() does it inside of a plan.
Value call_plan(planner::PlanRun& run, const std::string& plan, const Value& parameters,
                const UnderscoreOptions& options) {
    if (options.run_as) run.futures().current().run_as = options.run_as;
    try {
        return run.call_plan(plan, parameters);
    } catch (const Error& error) {
        if (!options.catch_errors || !planner::is_catchable(error)) throw;
        return planner::to_plan_error(error, {}).value();
    }
}

/// The targets of its parameters, each once.
void confirm_plan(Session& session, const CommandLine& line, planner::PlanRun& run, const Value& parameters) {
    if (!session.config().confirm_targets) return;
    std::vector<inventory::Target> all;
    std::set<std::string> names;
    for (const auto& [parameter, targets] : run.check_call(*line.object, parameters)) {
        for (const inventory::Target& target : targets) {
            if (names.insert(target.name()).second) all.push_back(target);
        }
    }
    confirm_targets(
        session, line, [&line] { return "Run plan " + *line.object; }, all);
}

planner::UnseenEnd unseen_end(const std::string& word) {
    if (word == "run") return planner::UnseenEnd::Run;
    return word == "done" ? planner::UnseenEnd::Done : planner::UnseenEnd::Stop;
}

void open_plan_log(Session& session, const CommandLine& line, const Value& parameters, planner::PlanLog& log,
                   planner::RunRecorder* recorder) {
    const ActionOptions& action = line.options.action;
    const std::filesystem::path here = session.process().working_directory;
    planner::PlanLogRequest request{
        *line.object, parameters, session.config().project.path, session.process().home, std::nullopt,
        std::nullopt, recorder};
    if (action.plan_log) request.record = here / *action.plan_log;
    if (action.resume) request.resume = here / *action.resume;
    if (!line.resumes.id.empty()) {
        request.recorded = run_chain(session, line.resumes.id);
        request.recorded_as = line.resumes.id;
        request.unseen = unseen_end(action.unknown);
    }
    log.open(request);
}

planner::PlanOutcome execute_plan(Session& session, const CommandLine& line, planner::PlanRun& run,
                                  planner::PlanLog& log, planner::RunRecorder* recorder) {
    planner::PlanOutcome outcome;
    try {
        UnderscoreOptions options;
        const Value parameters = plan_command_line(session, line, run, options);
        if (recorder != nullptr)
            recorder->set_plan(*line.object, parameters, line.options.action.plan_log.has_value());
        confirm_plan(session, line, run, parameters);
        open_plan_log(session, line, parameters, log, recorder);
        return run.run(*line.object, [&] { return call_plan(run, *line.object, parameters, options); });
    } catch (const LanguageError& error) {
        outcome.error = planner::final_error(error);
    } catch (const Error& error) {
        outcome.error = planner::final_error(error);
    }
    return outcome;
}

/// --filter of a plan that returns results, for formats that print its value and no totals.
void filter_value(Session& session, planner::PlanOutcome& outcome) {
    if (session.filter() == nullptr || session.out().for_people() || !outcome.ok()) return;
    const auto* set = planner::object_in<planner::ResultSetObject>(outcome.value);
    if (set == nullptr) return;
    std::vector<planner::ResultRef> shown;
    for (const planner::ResultRef& one : set->results()) {
        if (session.filter()->matches(one->result())) shown.push_back(one);
    }
    outcome.value = planner::object_value(make_shared_object<planner::ResultSetObject>(std::move(shown)));
}

/// Where a failed plan stopped, and how to go on from there.
void point_at_failure(Session& session, const CommandLine& line, const planner::PlanOutcome& outcome,
                      const planner::RunRecorder* recorder) {
    if (outcome.ok() || !session.out().for_people() || outcome.error->kind() == "volley/interrupted") return;
    const Json& details = outcome.error->details();
    const bool placed = details.is_object() && details.contains("file") && details["file"].is_string();
    // Other errors print their position, or are none of the plan's steps.
    if (placed && details.contains("result_set")) {
        std::string where = details["file"].get<std::string>();
        if (details.contains("line")) where += ":" + details["line"].dump();
        const std::string what = details.value("object", Json()).is_string()
                                     ? " '" + details["object"].get<std::string>() + "'"
                                     : "";
        session.out().print_message("The plan stopped at " + where + ": " + details.value("action", "") +
                                    what + " failed");
    }
    const ActionOptions& action = line.options.action;
    if (action.plan_log) {
        session.out().print_message("To continue, run it again with --resume " + *action.plan_log);
    } else if (placed && !session.config().journal) {
        session.out().print_message(
            "To be able to continue a run, record it with --plan-log FILE and use --resume FILE");
    } else if (placed && ((recorder && recorder->has_begun()) || !line.resumes.id.empty())) {
        session.out().print_message(
            "To continue, use 'volley plan resume'; --plan-log FILE and --resume FILE use a record of your "
            "own");
    }
}

/// --dry-run: the parameters are checked, and what the plan would do is read from its text.
int show_plan(Session& session, const CommandLine& line) {
    PlanStage stage(session);
    planner::PlanRun run(stage.world(line.options.action.noop, nullptr));
    try {
        UnderscoreOptions options;
        const Value parameters = plan_command_line(session, line, run, options);
        const auto targets = run.check_call(*line.object, parameters);
        const auto graph = planner::plan_graph(run.plans(), *line.object);
        if (session.out().for_people()) {
            std::string text = "Would run plan " + *line.object + "\n";
            for (const auto& [name, chosen] : targets)
                text += "  $" + name + ": " + counted_targets(chosen) + "\n";
            session.console().write(text + graph_text(graph));
            return 0;
        }
        Json by_parameter = Json::object();
        for (const auto& [name, chosen] : targets) {
            Json& names = by_parameter[name] = Json::array();
            for (const inventory::Target& target : chosen) names.push_back(target.safe_name());
        }
        session.console().write_line(compact(Json{{"dry_run", true},
                                                  {"action", "plan"},
                                                  {"object", *line.object},
                                                  {"targets", std::move(by_parameter)},
                                                  {"plans", graph_json(graph)}}));
    } catch (const LanguageError& error) {
        throw Error(planner::final_error(error));
    }
    return 0;
}

}  // namespace

int run_plan(Session& session, const CommandLine& line) {
    if (line.options.action.dry_run) return show_plan(session, line);
    session.out().begin_plan();
    PlanStage stage(session);
    planner::PlanLog log;
    const UniqueFd lock = lock_resumed(session, line);
    const auto recorder = record_run(session, line);
    if (recorder) stage.executor().add_listener(*recorder);
    planner::PlanRun run(stage.world(line.options.action.noop, &log, recorder.get()));
    planner::PlanOutcome outcome = execute_plan(session, line, run, log, recorder.get());
    stage.close();
    write_plan_rerun(session, outcome, recorder.get());
    // After the file for --rerun: what is newer than the record is of another run.
    if (recorder) recorder->finish(recorded_status(outcome.ok()), outcome.ok() ? "" : outcome.error->msg());
    filter_value(session, outcome);
    session.out().print_plan_outcome(outcome);
    point_at_failure(session, line, outcome, recorder.get());
    if (const auto& page = line.options.action.report; page && recorder)
        write_report(session, *page, recorder->record());
    return outcome.ok() ? 0 : 1;
}

}  // namespace volley::cli
