#pragma once

#include <memory>

#include "transports/runtime.hpp"
#include "transports/ssh/powershell_subsystem.hpp"
#include "transports/target_config.hpp"
#include "transports/task.hpp"

namespace volley::transports::ssh {

/// `native-ssh`: runs OpenSSH's own `ssh` for each command (SSH-018 to SSH-020). Also the fallback
/// for targets that libssh2 cannot reach (certificates, RSA-only host keys with 1.10). One per run; loop
/// thread only.
///
/// Unless the user sets an ssh-command, one login per target serves the whole run: ssh's ControlMaster with
/// its socket in a private directory of this object, which is removed with it.
class OpenSshClient {
public:
    explicit OpenSshClient(Runtime& runtime);
    ~OpenSshClient();
    OpenSshClient(const OpenSshClient&) = delete;
    OpenSshClient& operator=(const OpenSshClient&) = delete;

    /// Tests the connection by running `exit` through ssh (SSH-018). Throws TransportError CONNECT_ERROR with
    /// what ssh wrote. copier() of the connection is set when the target has a copy-command.
    Task<std::unique_ptr<SshServerConnection>> connect(TargetConfig target);

    /// True when there is an `ssh` program on the PATH.
    static bool available();

private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace volley::transports::ssh
