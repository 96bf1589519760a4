#include "transports/ssh/session/ssh_connection.hpp"

#include "transports/ssh/session/command_channel.hpp"

namespace volley::transports::ssh {

SshConnection::SshConnection(std::shared_ptr<Session> session, std::string label, std::string user,
                             std::chrono::milliseconds disconnect_timeout)
    : session_(std::move(session)),
      label_(std::move(label)),
      user_(std::move(user)),
      disconnect_timeout_(disconnect_timeout) {}

Task<ExitStatus> SshConnection::execute(const Command& command, Input& input, OutputSink& sink) {
    auto channel = std::make_shared<CommandChannel>(command, input, sink, label_);
    co_await session_->run(channel);
    co_return channel->result();
}

Task<ExitStatus> SshConnection::subsystem(std::string name, Input& input, OutputSink& sink) {
    const Command command(std::move(name));
    auto channel = std::make_shared<CommandChannel>(command, input, sink, label_, Start::Subsystem);
    co_await session_->run(channel);
    co_return channel->result();
}

Task<void> SshConnection::close() { co_await session_->close(disconnect_timeout_); }

}  // namespace volley::transports::ssh
