#include "transports/shell/task_agent_shell.hpp"

#include "support/text.hpp"
#include "transports/errors.hpp"

namespace volley::transports {

Task<Output> TaskAgentShell::run_task(TaskExecution task, RunOptions options) {
    TaskAgent* const agent = connection_.task_agent();
    if (agent == nullptr) throw NotStarted("The connection to the target was lost");
    auto running = agent->run_task(std::move(task), std::move(options));
    co_return co_await std::move(running);
}

bool TaskAgentShell::runs_powershell() const noexcept {
    TaskAgent* const agent = connection_.task_agent();
    return agent != nullptr && agent->runs_powershell();
}

ShellTraits TaskAgentShell::traits() const {
    ShellTraits traits = shell_->traits();
    traits.powershell = runs_powershell();
    return traits;
}

std::vector<std::string> TaskAgentShell::features() const {
    return runs_powershell() ? std::vector<std::string>{"powershell"} : shell_->features();
}

std::string_view TaskAgentShell::default_input_method(std::string_view extension) const {
    if (runs_powershell() && lower(extension) == ".ps1") return "powershell";
    return shell_->default_input_method(extension);
}

}  // namespace volley::transports
