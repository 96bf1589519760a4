#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "transports/errors.hpp"
#include "transports/shell/posix_shell.hpp"

namespace volley::transports {

std::unique_ptr<Shell> make_shell(Connection& connection, const TargetConfig& target, Runtime& runtime) {
    const bool powershell = target.options && target.options->value("login-shell", Json()) == "powershell";
    if (powershell) {
        throw connect_error(fmt::format("{}: targets whose login-shell is powershell are not supported yet",
                                        target.safe_name),
                            "CONNECT_ERROR");
    }
    return std::make_unique<PosixShell>(connection, target, runtime);
}

Task<ExitStatus> Shell::run_session(std::string command, Input& input, OutputSink& output,
                                    RunOptions options) {
    static_cast<void>(command), static_cast<void>(input), static_cast<void>(output),
        static_cast<void>(options);
    throw connect_error("The shell of the target has no sessions in both directions", "EXEC_ERROR");
    co_return ExitStatus{};
}

}  // namespace volley::transports
