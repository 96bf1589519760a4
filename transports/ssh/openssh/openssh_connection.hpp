#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "transports/ssh/openssh/openssh_command.hpp"
#include "transports/ssh/powershell_subsystem.hpp"

namespace volley::transports::ssh {

/// A target reached by one `ssh` process per command.
class OpenSshConnection final : public SshServerConnection, private FileCopier {
public:
    OpenSshConnection(OpenSshCommand command, std::string target)
        : command_(std::move(command)), target_(std::move(target)) {}

    /// Runs `exit` (SSH-018). Throws TransportError CONNECT_ERROR with what ssh wrote.
    Task<void> test();

    /// ssh's status 255 may be its own or the command's: then it is asked whether the session still stands.
    Task<ExitStatus> execute(const Command& command, Input& input, OutputSink& sink) override;
    Task<ExitStatus> subsystem(std::string name, Input& input, OutputSink& sink) override;
    bool alive() const noexcept override { return alive_; }
    Task<void> close() override;
    const std::string& user() const noexcept override { return command_.user(); }
    FileCopier* copier() noexcept override { return command_.copies() ? this : nullptr; }

private:
    Task<void> upload(std::filesystem::path local, std::string remote) override;
    Task<void> download(std::string remote, std::filesystem::path directory) override;
    Task<ExitStatus> run_ssh(std::vector<std::string> words, Input& input, OutputSink& sink);
    Task<void> copy(std::vector<std::string> words, std::string destination);
    Task<bool> session_is_alive();
    Task<void> stop_commands();

    OpenSshCommand command_;
    std::string target_;       // for messages
    std::size_t running_ = 0;  // commands
    bool alive_ = true;
};

}  // namespace volley::transports::ssh
