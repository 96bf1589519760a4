#include "transports/ssh/session/tunnel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <cerrno>
#include <cstring>
#include <vector>

#include "transports/errors.hpp"

namespace volley::transports::ssh {
namespace {

constexpr std::size_t buffer_limit = 256 * 1024;

/// The channel, as an operation of the outer session: moves bytes between libssh2 and two buffers, from which
/// the inner session's stream reads and to which it writes.
class Tunnel final : public Operation {
public:
    Tunnel(std::string host, int port) : host_(std::move(host)), port_(port) {}

    bool step(Session& session) override {
        if (channel_ == nullptr) {
            if (over_ || !open(session)) return over_;
        }
        if (abandoned_) return close(session);
        if (!opened_) announce();
        send(session);
        receive(session);
        if (ended_ && inbound_.empty()) return close(session);
        return over_;
    }

    void lost(const std::string& reason) override {
        error_ = reason;
        channel_ = nullptr;
        ended_ = over_ = true;
        announce();
        notify_readable();
        notify_writable();
    }

    void abandon() override {
        abandoned_ = true;
        observer_ = nullptr;
    }

    // The inner session's side.
    ByteStream::Observer* observer_ = nullptr;
    bool wants_to_read_ = false;
    bool wants_to_write_ = false;

    bool opened() const noexcept { return opened_; }
    const std::string& error() const noexcept { return error_; }
    void when_opened(boost::asio::steady_timer& event) noexcept { waiting_ = &event; }
    void stop_waiting() noexcept { waiting_ = nullptr; }
    bool over() const noexcept { return over_; }

    ssize_t take(std::span<char> buffer) {
        if (inbound_.empty()) return ended_ ? 0 : -EAGAIN;
        const std::size_t n = std::min(buffer.size(), inbound_.size());
        std::memcpy(buffer.data(), inbound_.data(), n);
        inbound_.erase(0, n);
        return static_cast<ssize_t>(n);
    }
    ssize_t give(std::string_view bytes) {
        if (ended_) return -EPIPE;
        if (outbound_.size() >= buffer_limit) return -EAGAIN;
        outbound_ += bytes;
        return static_cast<ssize_t>(bytes.size());
    }
    bool has_input() const noexcept { return !inbound_.empty() || ended_; }
    bool has_space() const noexcept { return outbound_.size() < buffer_limit || ended_; }

    void notify_readable() {
        if (observer_ != nullptr && std::exchange(wants_to_read_, false)) observer_->on_readable();
    }
    void notify_writable() {
        if (observer_ != nullptr && std::exchange(wants_to_write_, false)) observer_->on_writable();
    }

private:
    bool open(Session& session) {
        const bool mine = session.take_turn(*this);
        if (abandoned_ && !asked_) {
            session.give_turn(*this);
            return over_ = true, false;
        }
        if (!mine) return false;
        asked_ = true;
        channel_ = libssh2_channel_direct_tcpip_ex(session.raw(), host_.c_str(), port_, "127.0.0.1", 0);
        if (channel_ != nullptr) {
            session.tunnel_opened();
            session.give_turn(*this);
            return true;
        }
        if (libssh2_session_last_errno(session.raw()) == LIBSSH2_ERROR_EAGAIN) return false;
        error_ = session.last_error();
        session.give_turn(*this);
        ended_ = over_ = true;
        announce();
        return false;
    }

    void announce() {
        opened_ = true;
        if (waiting_ != nullptr) waiting_->cancel();
    }

    void send(Session& session) {
        std::size_t sent = 0;
        while (sent < outbound_.size() && session.backlog() < Session::send_limit) {
            const ssize_t n =
                libssh2_channel_write_ex(channel_, 0, outbound_.data() + sent, outbound_.size() - sent);
            if (n <= 0) break;
            sent += static_cast<std::size_t>(n);
        }
        if (sent == 0) return;
        outbound_.erase(0, sent);
        if (has_space()) notify_writable();
    }

    void receive(Session& session) {
        static thread_local std::vector<char> buffer(64 * 1024);
        while (inbound_.size() < buffer_limit && !ended_) {
            const ssize_t n = libssh2_channel_read_ex(channel_, 0, buffer.data(), buffer.size());
            if (n > 0) {
                inbound_.append(buffer.data(), static_cast<std::size_t>(n));
            } else if (n == LIBSSH2_ERROR_EAGAIN) {
                break;
            } else {
                ended_ = true;
                if (n < 0) error_ = session.last_error();
            }
        }
        if (has_input()) notify_readable();
    }

    /// A tunnel does not count against MaxSessions, so Session::release, which counts, is not for it.
    bool close(Session& session) {
        ended_ = true;
        if (libssh2_channel_free(channel_) == LIBSSH2_ERROR_EAGAIN) return false;
        session.tunnel_closed();
        channel_ = nullptr;
        return over_ = true;
    }

    std::string host_;
    int port_;
    LIBSSH2_CHANNEL* channel_ = nullptr;
    boost::asio::steady_timer* waiting_ = nullptr;
    std::string inbound_;
    std::string outbound_;
    std::string error_;
    bool asked_ = false;
    bool opened_ = false;
    bool abandoned_ = false;
    bool ended_ = false;  // no more bytes either way
    bool over_ = false;
};

class TunnelStream final : public ByteStream {
public:
    TunnelStream(std::shared_ptr<Session> outer, std::shared_ptr<Tunnel> tunnel)
        : outer_(std::move(outer)), tunnel_(std::move(tunnel)) {}
    ~TunnelStream() override { close(); }

    ssize_t receive(std::span<char> buffer) override {
        const ssize_t n = tunnel_->take(buffer);
        if (n > 0) outer_->wake();  // there is space again
        return n;
    }
    ssize_t send(std::string_view bytes) override {
        tunnel_->observer_ = observer_;
        const ssize_t n = tunnel_->give(bytes);
        if (n > 0) outer_->wake();
        return n;
    }
    void wait_readable() override {
        tunnel_->observer_ = observer_;
        tunnel_->wants_to_read_ = true;
        if (tunnel_->has_input()) outer_->wake();
    }
    void wait_writable() override {
        tunnel_->observer_ = observer_;
        tunnel_->wants_to_write_ = true;
        if (tunnel_->has_space()) outer_->wake();
    }
    void close() noexcept override {
        if (std::exchange(closed_, true)) return;
        tunnel_->abandon();
        outer_->wake();
    }
    int descriptor() noexcept override { return outer_->descriptor(); }

private:
    std::shared_ptr<Session> outer_;
    std::shared_ptr<Tunnel> tunnel_;
    bool closed_ = false;
};

}  // namespace

Task<std::unique_ptr<ByteStream>> open_tunnel(std::shared_ptr<Session> session, std::string host, int port) {
    const auto tunnel = std::make_shared<Tunnel>(host, port);
    boost::asio::steady_timer event(session->loop(), Session::Clock::time_point::max());
    struct Waiting {
        Tunnel& tunnel;
        Session& session;
        bool taken = false;
        ~Waiting() {
            tunnel.stop_waiting();
            if (taken) return;
            tunnel.abandon();
            session.wake();
        }
    };
    Waiting waiting{*tunnel, *session};
    tunnel->when_opened(event);
    session->start(tunnel);
    if (!tunnel->opened()) {
        boost::system::error_code ended;
        co_await event.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, ended));
    }
    if (!tunnel->opened()) throw boost::system::system_error(boost::asio::error::operation_aborted);
    if (!tunnel->error().empty()) {
        throw connect_error(
            fmt::format("cannot connect to {} port {} from there: {}", host, port, tunnel->error()));
    }
    waiting.taken = true;
    co_return std::make_unique<TunnelStream>(session, tunnel);
}

}  // namespace volley::transports::ssh
