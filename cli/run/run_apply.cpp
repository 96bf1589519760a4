#include "cli/run/run_apply.hpp"

#include <chrono>
#include <vector>

#include "cli/run/plan_stage.hpp"
#include "cli/run/run_action.hpp"
#include "planner/apply/apply_steps.hpp"
#include "planner/event.hpp"
#include "planner/plan/report/plan_report.hpp"
#include "planner/results/rerun.hpp"
#include "support/error.hpp"
#include "support/log.hpp"

namespace volley::cli {
namespace {

using planner::ResultsRef;

/// APL-022: a class or define alone does nothing.
void warn_of_definition_alone(const ast::Program& program) {
    const ast::Node* body = program.body;
    if (body && body->kind == ast::NodeKind::Block && ast::as<ast::Block>(*body).statements.size() == 1)
        body = ast::as<ast::Block>(*body).statements.front();
    if (!body || (body->kind != ast::NodeKind::Class && body->kind != ast::NodeKind::Define)) return;
    log_warning("empty_manifest", "cli",
                "Manifest only contains definitions and will result in no changes on the targets. "
                "Definitions must be "
                "declared for their resources to be applied.");
}

std::vector<planner::Result> apply_on_fiber(planner::PlanRun& run,
                                            const std::shared_ptr<const planner::AppliedCode>& code,
                                            const std::vector<inventory::Target>& targets, bool noop) {
    const ResultsRef prepared =
        planner::prepare_targets(run, targets, planner::ApplyOptions{.catch_errors = true}, {});
    std::vector<planner::Result> results;
    std::vector<inventory::Target> ready;
    for (const planner::ResultRef& one : prepared->results()) {
        if (one->result().ok()) {
            ready.push_back(one->target()->target());
        } else {
            results.push_back(one->result());
            run.executor().publish(planner::TargetFinished{results.back(), {}});  // the step itself is quiet
        }
    }
    const ResultsRef applied = planner::apply_code(
        run, code, std::move(ready), planner::ApplyOptions{.catch_errors = true, .noop = noop}, {});
    for (const planner::ResultRef& one : applied->results()) results.push_back(one->result());
    return results;
}

}  // namespace

int run_apply(Session& session, const CommandLine& line, std::string code, const std::string& file) {
    const std::vector<inventory::Target> targets = session.inventory().resolve(
        session.target_specs(line.options.target), inventory::TargetSyntax::CommandLine);
    const auto applied = std::make_shared<const planner::AppliedCode>(
        planner::AppliedCode{planner::parse_manifest_text(std::move(code), file), {}});
    warn_of_definition_alone(*applied->program);
    if (targets.empty()) explain_no_targets(session, line.options.target);
    session.out().begin_apply();
    const auto begin = std::chrono::steady_clock::now();
    PlanStage stage(session);
    planner::PlanReport report;
    const std::optional<std::string>& report_file = line.options.action.report;
    if (report_file) stage.executor().add_listener(report);
    planner::PlanRun run(stage.world(false, nullptr));
    std::vector<planner::Result> results;
    const planner::PlanOutcome outcome = run.run("apply", [&] {
        results = apply_on_fiber(run, applied, targets, line.options.action.noop);
        return Value();
    });
    stage.close();
    const planner::ResultSet all(std::move(results));
    if (report_file) {
        report.write(session.process().working_directory / *report_file,
                     file.empty() ? "Apply" : "Apply " + file, outcome.ok() && all.ok(),
                     outcome.ok() ? "" : outcome.error->msg());
    }
    if (!outcome.ok()) throw Error(*outcome.error);
    if (session.config().save_rerun && !targets.empty())
        planner::write_rerun(session.config().rerun_file, all);
    session.out().print_apply_results(all, std::chrono::steady_clock::now() - begin);
    return all.ok() ? 0 : 1;
}

}  // namespace volley::cli
