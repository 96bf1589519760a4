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

}  // namespace volley::transports
