#include "cli/run/plan_stage.hpp"

#include <cerrno>
#include <csignal>

#include "cli/outputters/display_names.hpp"
#include "cli/run/progress_view.hpp"
#include "planner/interrupt.hpp"

namespace volley::cli {
namespace {

planner::ExecutorSettings plan_executor_settings(const inventory::Config& config, bool live) {
    planner::ExecutorSettings settings;
    settings.concurrency = static_cast<std::size_t>(config.concurrency);
    settings.stream = config.stream || live;
    settings.script_interpreter = config.script_interpreter;
    settings.keep_sessions = true;
    return settings;
}

}  // namespace

PlanStage::PlanStage(Session& session)
    : session_(session),
      event_log_(safe_display_names(session.inventory()),
                 [&session](const planner::Event& event) { return session.out().shows(event); }),
      executor_(runtime_, session.inventory(), session.library(),
                plan_executor_settings(session.config(), session.shows_live())),
      progress_(make_progress_view(session, runtime_, executor_, safe_display_names(session.inventory()))),
      terminal_(session, runtime_) {
    session.out().set_display_names(safe_display_names(session.inventory()));
    executor_.add_listener(event_log_);
    executor_.add_listener(session.out());
    if (session.output_dir())
        executor_.add_listener(
            files_.emplace(*session.output_dir(), safe_display_names(session.inventory())));
    if (progress_) executor_.add_listener(*progress_);
    session.console().on_error([this](int error) {
        if (error != EPIPE) return;
        event_log_.leave_quietly();
        planner::InterruptHandler::request(SIGTERM);
    });
}

PlanStage::~PlanStage() { close(); }

void PlanStage::close() { session_.console().on_error({}); }

planner::PlanWorld PlanStage::world(bool noop, planner::PlanLog* log, planner::RunRecorder* recorder) {
    return {
        runtime_, executor_, session_.inventory(), session_.library(), session_.config(), &terminal_, noop,
        log,      recorder};
}

}  // namespace volley::cli
