#pragma once

#include <memory>
#include <optional>

#include "cli/logging.hpp"
#include "cli/run/output_folder.hpp"
#include "cli/run/session.hpp"
#include "cli/terminal/plan_terminal.hpp"
#include "planner/executor.hpp"
#include "planner/plan/plan_run.hpp"
#include "transports/runtime.hpp"

namespace volley::cli {

/// What plan code runs on: the loop, an executor that keeps sessions, everybody who listens to it, and the
/// person at the terminal. When nobody reads the output any more the run ends like after Ctrl-C.
class PlanStage {
public:
    explicit PlanStage(Session& session);
    ~PlanStage();
    PlanStage(const PlanStage&) = delete;
    PlanStage& operator=(const PlanStage&) = delete;

    planner::Executor& executor() noexcept { return executor_; }
    planner::PlanWorld world(bool noop, planner::PlanLog* log, planner::RunRecorder* recorder = nullptr);
    /// Nothing runs any more: broken output is only an error from now on.
    void close();

private:
    Session& session_;
    transports::Runtime runtime_;
    EventLog event_log_;
    std::optional<OutputFolder> files_;
    planner::Executor executor_;
    std::unique_ptr<planner::EventListener> progress_;
    PlanTerminal terminal_;
};

}  // namespace volley::cli
