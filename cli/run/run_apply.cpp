#include "cli/run/run_apply.hpp"

#include <chrono>
#include <vector>

#include "cli/records/recorded_runs.hpp"
#include "cli/run/confirm.hpp"
#include "cli/run/plan_stage.hpp"
#include "cli/run/recording.hpp"
#include "cli/run/run_action.hpp"
#include "planner/apply/apply_steps.hpp"
#include "planner/event.hpp"
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

/// What was applied. Results come by events, because of a run that is interrupted nothing else does.
class Applied final : public planner::EventListener {
public:
    void on_event(const planner::Event& event) override {
        const auto* finished = std::get_if<planner::ActionFinished>(&event);
        if (finished == nullptr) return;
        for (const planner::Result& result : finished->results.results()) {
            if (result.action() == "apply") results_.push_back(result);
        }
    }
    void add(planner::Result result) { results_.push_back(std::move(result)); }
    planner::ResultSet take() { return planner::ResultSet(std::move(results_)); }

private:
    std::vector<planner::Result> results_;
};

void apply_on_fiber(planner::PlanRun& run, const std::shared_ptr<const planner::AppliedCode>& code,
                    const std::vector<inventory::Target>& targets, planner::ApplyOptions options,
                    Applied& done) {
    options.gather_facts = planner::needs_nothing_first(run, targets);
    if (options.gather_facts) {
        planner::apply_code(run, code, targets, options, {});
        return;
    }
    const ResultsRef prepared =
        planner::prepare_targets(run, targets, planner::ApplyOptions{.catch_errors = true}, {});
    std::vector<inventory::Target> ready;
    for (const planner::ResultRef& one : prepared->results()) {
        if (one->result().ok()) {
            ready.push_back(one->target()->target());
        } else {
            done.add(one->result());
            run.executor().publish(planner::TargetFinished{one->result(), {}});  // the step itself is quiet
        }
    }
    planner::apply_code(run, code, std::move(ready), options, {});
}

/// Until the process ends, which is next: taking the reports of 10,000 resources apart takes a tenth of the
/// processor time of their apply.
void keep_to_the_end(const planner::ResultSet& results) {
    [[maybe_unused]] static const auto& kept = *new planner::ResultSet(results);
}

}  // namespace

int run_apply(Session& session, const CommandLine& line, std::string code, const std::string& file) {
    const std::vector<inventory::Target> targets = session.targets(line.options.target);
    const UniqueFd lock = lock_resumed(session, line);
    const auto applied = std::make_shared<const planner::AppliedCode>(
        planner::AppliedCode{planner::parse_manifest_text(std::move(code), file), {}});
    warn_of_definition_alone(*applied->program);
    confirm_targets(
        session, line, [&file] { return file.empty() ? "Apply the code" : "Apply " + file; }, targets);
    if (targets.empty()) explain_no_targets(session, line.options.target);
    session.out().begin_apply();
    const auto begin = std::chrono::steady_clock::now();
    PlanStage stage(session);
    planner::PlanRun run(stage.world(false, nullptr));
    const auto recorder = record_run(session, line);
    if (recorder) stage.executor().add_listener(*recorder);
    Applied done;
    stage.executor().add_listener(done);
    const planner::PlanOutcome outcome = run.run("apply", [&] {
        const planner::ApplyOptions options{
            .catch_errors = true, .noop = line.options.action.noop, .rollout = session.rollout(line)};
        apply_on_fiber(run, applied, targets, options, done);
        return Value();
    });
    stage.close();
    const planner::ResultSet all = done.take();
    // Of an interrupted run it is shown what was changed until then.
    const bool over = outcome.ok() || (outcome.error->kind() == "volley/interrupted" && all.size() > 0);
    if (over && session.config().save_rerun && !targets.empty())
        planner::write_rerun(session.config().rerun_file, all);
    if (recorder) {
        recorder->finish(recorded_status(outcome.ok() && all.ok()), outcome.ok() ? "" : outcome.error->msg());
        if (const auto& page = line.options.action.report) write_report(session, *page, recorder->record());
    }
    if (!over) throw Error(*outcome.error);
    session.out().print_apply_results(all, std::chrono::steady_clock::now() - begin);
    keep_to_the_end(all);
    return all.ok() ? 0 : 1;
}

}  // namespace volley::cli
