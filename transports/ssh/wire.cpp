#include "transports/ssh/wire.hpp"

#include <sys/socket.h>

#include <boost/asio/error.hpp>
#include <cerrno>

namespace volley::transports::ssh {
namespace {

using Socket = boost::asio::generic::stream_protocol::socket;

class SocketWire final : public Wire {
public:
    explicit SocketWire(Socket socket) : socket_(std::move(socket)) {}

    ssize_t receive(std::span<char> buffer) override {
        for (;;) {
            const ssize_t n = ::recv(socket_.native_handle(), buffer.data(), buffer.size(), MSG_DONTWAIT);
            if (n >= 0) return n;
            if (errno != EINTR) return errno == EWOULDBLOCK ? -EAGAIN : -errno;
        }
    }

    ssize_t send(std::string_view bytes) override {
        for (;;) {
            const ssize_t n =
                ::send(socket_.native_handle(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
            if (n >= 0) return n;
            if (errno != EINTR) return errno == EWOULDBLOCK ? -EAGAIN : -errno;
        }
    }

    void wait_readable() override {
        if (std::exchange(waits_to_read_, true)) return;
        socket_.async_wait(Socket::wait_read, [this, alive = std::weak_ptr(alive_)](auto error) {
            if (alive.expired()) return;
            waits_to_read_ = false;
            if (error != boost::asio::error::operation_aborted) observer_->on_readable();
        });
    }

    void wait_writable() override {
        if (std::exchange(waits_to_write_, true)) return;
        socket_.async_wait(Socket::wait_write, [this, alive = std::weak_ptr(alive_)](auto error) {
            if (alive.expired()) return;
            waits_to_write_ = false;
            if (error != boost::asio::error::operation_aborted) observer_->on_writable();
        });
    }

    void close() noexcept override {
        alive_.reset();
        boost::system::error_code ignored;
        socket_.close(ignored);
    }

    int descriptor() noexcept override { return socket_.native_handle(); }

private:
    Socket socket_;
    bool waits_to_read_ = false;
    bool waits_to_write_ = false;
    std::shared_ptr<int> alive_ = std::make_shared<int>();  // handlers outlive a closed wire
};

}  // namespace

std::unique_ptr<Wire> make_socket_wire(Socket socket) {
    return std::make_unique<SocketWire>(std::move(socket));
}

}  // namespace volley::transports::ssh
