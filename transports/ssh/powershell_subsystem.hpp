#pragma once

#include <memory>
#include <string>

#include "transports/connection.hpp"
#include "transports/runtime.hpp"
#include "transports/target_config.hpp"

namespace volley::transports::ssh {

/// A connection over SSH.
class SshServerConnection : public Connection {
public:
    /// Starts a subsystem of the server (RFC 4254, 6.5); otherwise as execute(). Throws TransportError where
    /// there is none of that name.
    virtual Task<ExitStatus> subsystem(std::string name, Input& input, OutputSink& sink) = 0;
};

/// The connection itself, or, where the target has PowerShell and the option powershell-subsystem, one whose
/// scripts go over the subsystem `powershell`, and over command lines where the server has none.
std::unique_ptr<Connection> with_powershell_subsystem(std::unique_ptr<SshServerConnection> connection,
                                                      const TargetConfig& target, Runtime& runtime);

}  // namespace volley::transports::ssh
