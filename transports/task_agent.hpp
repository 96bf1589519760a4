#pragma once

#include "transports/output.hpp"
#include "transports/shell/shell.hpp"
#include "transports/task.hpp"

namespace volley::transports {

/// A program on the target that runs whole tasks by itself: it fetches their files from a server and passes
/// them their input. Loop thread only.
class TaskAgent {
public:
    virtual ~TaskAgent() = default;
    /// Runs the task to its end. Throws TransportError; cancelled, the task goes on.
    virtual Task<Output> run_task(TaskExecution task, RunOptions options) = 0;
    /// Tasks with the requirement "powershell" suit it, not those with "shell" (TRN-007).
    virtual bool runs_powershell() const noexcept = 0;
};

}  // namespace volley::transports
