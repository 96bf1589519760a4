#pragma once

#include <memory>
#include <string>

#include "transports/ssh/powershell_subsystem.hpp"
#include "transports/ssh/session/session.hpp"

namespace volley::transports::ssh {

/// A logged-in session as a Connection. Commands may run side by side on it; when the server allows fewer
/// (MaxSessions), they wait for each other.
class SshConnection final : public SshServerConnection {
public:
    SshConnection(std::shared_ptr<Session> session, std::string label, std::string user,
                  std::chrono::milliseconds disconnect_timeout);

    Task<ExitStatus> execute(const Command& command, Input& input, OutputSink& sink) override;
    Task<ExitStatus> subsystem(std::string name, Input& input, OutputSink& sink) override;
    bool alive() const noexcept override { return session_->alive(); }
    Task<void> close() override;
    const std::string& user() const noexcept override { return user_; }
    const ConnectionFacts* facts() const noexcept override { return &session_->facts(); }

private:
    std::shared_ptr<Session> session_;
    std::string label_;
    std::string user_;
    std::chrono::milliseconds disconnect_timeout_;
};

}  // namespace volley::transports::ssh
