#include <fmt/format.h>

#include "transports/errors.hpp"
#include "transports/process/process.hpp"
#include "transports/ssh/login/session_factory.hpp"

namespace volley::transports::ssh {
namespace {

/// A socket to a child process, which ends with it.
class ProxyCommandStream final : public ByteStream {
public:
    ProxyCommandStream(Process process, std::unique_ptr<ByteStream> socket)
        : process_(std::move(process)), socket_(std::move(socket)) {}

    ssize_t receive(std::span<char> buffer) override { return socket_->receive(buffer); }
    ssize_t send(std::string_view bytes) override { return socket_->send(bytes); }
    void wait_readable() override {
        socket_->observe(observer_);
        socket_->wait_readable();
    }
    void wait_writable() override {
        socket_->observe(observer_);
        socket_->wait_writable();
    }
    void close() noexcept override { socket_->close(); }
    int descriptor() noexcept override { return socket_->descriptor(); }

private:
    Process process_;
    std::unique_ptr<ByteStream> socket_;
};

}  // namespace

std::unique_ptr<ByteStream> start_proxy_command(boost::asio::io_context& loop, const std::string& command) {
    // "exec", as OpenSSH does: the shell makes way, so that ending the child ends the command.
    ProcessSettings settings = ProcessSettings::shell("exec " + command);
    settings.channel = ProcessSettings::Channel::Socket;
    settings.error_channel = ProcessSettings::ErrorChannel::Inherit;
    try {
        Process process(loop.get_executor(), settings);
        boost::asio::generic::stream_protocol::socket socket(
            loop, boost::asio::generic::stream_protocol(AF_UNIX, 0), process.input().release());
        return std::make_unique<ProxyCommandStream>(std::move(process),
                                                    make_socket_stream(std::move(socket)));
    } catch (const boost::system::system_error& error) {
        throw connect_error(fmt::format("ProxyCommand could not be started: {}", error.code().message()));
    }
}

}  // namespace volley::transports::ssh
