#pragma once

#include <memory>

#include "transports/shell/shell.hpp"
#include "transports/task_agent.hpp"

namespace volley::transports {

/// The shell of a target whose tasks are run by an agent of its own; everything else goes to `shell`.
/// Documented in Shell.
class TaskAgentShell final : public Shell {
public:
    TaskAgentShell(Connection& connection, std::unique_ptr<Shell> shell)
        : connection_(connection), shell_(std::move(shell)) {}
    Task<Output> run_command(std::string command, RunOptions options) override {
        return shell_->run_command(std::move(command), std::move(options));
    }
    Task<Output> run_script(std::filesystem::path script, std::vector<std::string> arguments,
                            std::vector<std::string> interpreter, RunOptions options) override {
        return shell_->run_script(std::move(script), std::move(arguments), std::move(interpreter),
                                  std::move(options));
    }
    Task<Output> run_task(TaskExecution task, RunOptions options) override;
    Task<ExitStatus> run_session(std::string command, Input& input, OutputSink& output,
                                 RunOptions options) override {
        return shell_->run_session(std::move(command), input, output, std::move(options));
    }
    Task<void> upload(std::filesystem::path local, std::string remote, RunOptions options) override {
        return shell_->upload(std::move(local), std::move(remote), std::move(options));
    }
    Task<std::filesystem::path> download(std::string remote, std::filesystem::path directory,
                                         RunOptions options) override {
        return shell_->download(std::move(remote), std::move(directory), std::move(options));
    }
    ShellTraits traits() const override;
    std::vector<std::string> features() const override;
    std::string_view default_input_method(std::string_view extension) const override;

private:
    bool runs_powershell() const noexcept;

    Connection& connection_;
    std::unique_ptr<Shell> shell_;
};

}  // namespace volley::transports
