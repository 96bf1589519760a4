#include "transports/errors.hpp"
#include "transports/shell/posix_shell.hpp"
#include "transports/shell/powershell/command_line_session.hpp"
#include "transports/shell/powershell/powershell_shell.hpp"
#include "transports/shell/task_agent_shell.hpp"

namespace volley::transports {

namespace {

std::unique_ptr<Shell> make_command_shell(Connection& connection, const TargetConfig& target,
                                          Runtime& runtime) {
    if (connection.powershell() != nullptr)
        return std::make_unique<PowerShellShell>(connection, nullptr, target, runtime);
    const std::optional<LineReader> reader = powershell_reader(target);
    if (!reader) return std::make_unique<PosixShell>(connection, target, runtime);
    auto session = std::make_unique<CommandLineSession>(connection, *reader);
    return std::make_unique<PowerShellShell>(connection, std::move(session), target, runtime);
}

}  // namespace

std::unique_ptr<Shell> make_shell(Connection& connection, const TargetConfig& target, Runtime& runtime) {
    auto shell = make_command_shell(connection, target, runtime);
    if (connection.task_agent() == nullptr) return shell;
    return std::make_unique<TaskAgentShell>(connection, std::move(shell));
}

Task<ExitStatus> Shell::run_session(std::string command, Input& input, OutputSink& output,
                                    RunOptions options) {
    static_cast<void>(command), static_cast<void>(input), static_cast<void>(output),
        static_cast<void>(options);
    throw connect_error("The target's shell does not support interactive sessions", "EXEC_ERROR");
    co_return ExitStatus{};
}

}  // namespace volley::transports
