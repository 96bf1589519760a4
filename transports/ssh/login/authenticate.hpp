#pragma once

#include <map>
#include <memory>
#include <string>

#include "transports/runtime.hpp"
#include "transports/ssh/keys/keys.hpp"
#include "transports/ssh/login/agent.hpp"
#include "transports/ssh/session/session.hpp"
#include "transports/ssh/settings.hpp"
#include "transports/task.hpp"

namespace volley::transports::ssh {

/// What proves who we are, shared by all sessions of a run. Loop thread only.
class Credentials {
public:
    explicit Credentials(Runtime& runtime);
    Runtime& runtime() noexcept { return runtime_; }
    KeyStore& keys() noexcept { return keys_; }
    /// The client of the agent at a socket; one each.
    Agent& agent(const std::string& socket);
    /// The warning `invalid_ssh_key`, once per path (SSH-003).
    void warn_about(const std::filesystem::path& key);

private:
    Runtime& runtime_;
    KeyStore keys_;
    std::map<std::string, std::unique_ptr<Agent>> agents_;
    std::map<std::filesystem::path, bool> warned_;
};

/// Logs in, in OpenSSH's order: keys (the agent's, those first that are also configured; then configured
/// files), the password as `password`, then as `keyboard-interactive`; what the server does not take is left
/// out. Throws TransportError AUTH_ERROR; Unsupported when only a method that libssh2 lacks could help. No
/// deadline of its own.
Task<void> authenticate(std::shared_ptr<Session> session, const Settings& settings, Credentials& credentials);

}  // namespace volley::transports::ssh
