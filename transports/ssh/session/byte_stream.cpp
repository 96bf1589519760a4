#include "transports/ssh/session/byte_stream.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <boost/asio/error.hpp>
#include <cerrno>

namespace volley::transports::ssh {
namespace {

using Socket = boost::asio::generic::stream_protocol::socket;

class SocketStream final : public ByteStream {
public:
    explicit SocketStream(Socket socket) : socket_(std::move(socket)) {}

    ssize_t receive(std::span<char> buffer) override {
        for (;;) {
            const ssize_t n = ::recv(socket_.native_handle(), buffer.data(), buffer.size(), MSG_DONTWAIT);
            if (n > 0) unacknowledged_ = true;
            if (n >= 0) return n;
            if (errno != EINTR) return errno == EWOULDBLOCK ? -EAGAIN : -errno;
        }
    }

    ssize_t send(std::string_view bytes) override {
        for (;;) {
            const ssize_t n =
                ::send(socket_.native_handle(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
            if (n > 0) unacknowledged_ = false;
            if (n >= 0) return n;
            if (errno != EINTR) return errno == EWOULDBLOCK ? -EAGAIN : -errno;
        }
    }

    void wait_readable() override {
        acknowledge();
        wait(Socket::wait_read, waits_to_read_, &Observer::on_readable);
    }

    void wait_writable() override { wait(Socket::wait_write, waits_to_write_, &Observer::on_writable); }

    void close() noexcept override {
        alive_.reset();
        boost::system::error_code ignored;
        socket_.close(ignored);
    }

    int descriptor() noexcept override { return socket_.native_handle(); }

private:
    /// sshd leaves Nagle's algorithm on where there is no terminal: with a message on its way it keeps the
    /// next one until this side has acknowledged the first, for which the kernel takes 40 ms unless
    /// something is sent. Both together would make that the time of every short command.
    void acknowledge() noexcept {
        if (!std::exchange(unacknowledged_, false)) return;
        const int now = 1;
        // Fails where it has no meaning, as on a pipe to a proxy.
        [[maybe_unused]] const int set =
            ::setsockopt(socket_.native_handle(), IPPROTO_TCP, TCP_QUICKACK, &now, sizeof now);
    }

    /// Calls the observer when the socket is ready; once for any number of calls until then.
    void wait(Socket::wait_type what, bool& waits, void (Observer::*ready)()) {
        if (std::exchange(waits, true)) return;
        socket_.async_wait(what, [this, &waits, ready, alive = std::weak_ptr(alive_)](auto error) {
            if (alive.expired()) return;
            waits = false;
            if (error != boost::asio::error::operation_aborted) (observer_->*ready)();
        });
    }

    Socket socket_;
    bool unacknowledged_ = false;  // bytes have come, and none were sent since
    bool waits_to_read_ = false;
    bool waits_to_write_ = false;
    std::shared_ptr<int> alive_ = std::make_shared<int>();  // handlers outlive a closed stream
};

}  // namespace

std::unique_ptr<ByteStream> make_socket_stream(Socket socket) {
    return std::make_unique<SocketStream>(std::move(socket));
}

}  // namespace volley::transports::ssh
