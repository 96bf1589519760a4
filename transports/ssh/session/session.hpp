#pragma once

#include <libssh2.h>

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "transports/connection.hpp"
#include "transports/ssh/session/byte_stream.hpp"
#include "transports/ssh/session/operation.hpp"
#include "transports/ssh/session/packet_inspector.hpp"
#include "transports/task.hpp"

namespace volley::transports::ssh {

/// How a session notices that its peer is gone: after `interval` without a byte it asks, and after `count`
/// unanswered questions it gives up.
struct Keepalive {
    std::chrono::seconds interval{15};
    int count = 3;
};

/// One SSH session: libssh2's state, the stream below it and the operations on it. One wait serves them all:
/// whatever arrives may be for any channel, so every wake-up steps every operation.
///
/// libssh2 never sees a full socket: what the stream does not take is kept here and sent when it can be. That
/// removes libssh2's rule that a send which would block must be repeated before anything else is sent (and
/// with it the pointers to callers' memory that 1.10 keeps meanwhile). Who sends much asks backlog() first.
///
/// Held by shared_ptr; loop thread only.
class Session final : public std::enable_shared_from_this<Session>, private ByteStream::Observer {
public:
    using Clock = std::chrono::steady_clock;

    /// Throws TransportError CONNECT_ERROR when libssh2 has no memory.
    static std::shared_ptr<Session> create(boost::asio::io_context& loop, std::unique_ptr<ByteStream> stream);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    LIBSSH2_SESSION* raw() noexcept { return raw_; }
    boost::asio::io_context& loop() noexcept { return loop_; }
    int descriptor() noexcept { return byte_stream_->descriptor(); }

    /// Runs an operation to its end, or until the session is lost. Cancelled: the operation is abandoned;
    /// throws boost::system::system_error(operation_aborted).
    Task<void> run(std::shared_ptr<Operation> operation);
    /// Runs an operation that nobody waits for.
    void start(std::shared_ptr<Operation> operation);
    /// Repeats a libssh2 call until it no longer returns EAGAIN; its result, or that of a lost session
    /// (LIBSSH2_ERROR_SOCKET_DISCONNECT).
    Task<int> drive(std::function<int()> call);

    /// Steps the operations soon, e.g. because input has come or time has passed.
    void wake();
    /// The same for an operation that has more to do but lets other sessions have a turn first.
    void wake_later();
    void wake_after(std::chrono::milliseconds delay);

    /// Only one operation at a time may open a channel or wait for the answer to a request: libssh2 keeps one
    /// open state per session and takes an answer meant for another channel for a failure. True when `who`
    /// has the turn (now).
    bool take_turn(const Operation& who);
    void give_turn(const Operation& who);
    bool turn_is_free() const noexcept { return turn_ == nullptr; }

    /// Channels that are open now, and the number above which this server refused one (MaxSessions).
    int open_channels() const noexcept { return open_channels_; }
    std::optional<int> channel_limit() const noexcept { return channel_limit_; }
    void channel_refused() noexcept { channel_limit_ = open_channels_; }
    void channel_opened() noexcept {
        ++open_channels_;
        had_channels_ = true;
    }
    bool had_channels() const noexcept { return had_channels_; }
    /// A tunnel is a channel that MaxSessions does not count, but it holds as much memory.
    void tunnel_opened() noexcept { ++open_tunnels_; }
    void tunnel_closed() noexcept { --open_tunnels_; }
    /// Commands that run on the server now. After the last one, when an abandoned one may still run there,
    /// the operation of command_left_running() terminates it; no command starts meanwhile.
    void command_begun() noexcept { ++commands_; }
    void command_ended() noexcept { --commands_; }
    void command_left_running(std::function<std::shared_ptr<Operation>()> terminate) {
        make_terminate_commands_ = std::move(terminate);
    }
    bool is_terminating_commands(const Operation& who) const noexcept {
        return terminate_commands_ != nullptr && terminate_commands_ != &who;
    }
    /// Closes and frees a channel without making anybody wait for the server's part.
    void release(LIBSSH2_CHANNEL* channel);

    /// Bytes that the stream has not taken yet. Writers of much data stop above send_limit.
    std::size_t backlog() const noexcept { return outbound_.size(); }
    static constexpr std::size_t send_limit = 256 * 1024;
    /// Sends now instead of after the step. True when nothing is left.
    bool send_backlog() {
        flush();
        return outbound_.empty();
    }

    /// What is found out while it is opened.
    ConnectionFacts& facts() noexcept { return facts_; }

    PacketInspector& packets() noexcept { return packets_; }

    /// To be called once logged in: starts to watch over the peer; before that, connecting has its own
    /// deadline.
    void keep_alive(Keepalive policy);
    bool alive() const noexcept { return !reason_.has_value(); }
    /// Why the session was lost, one clause ("the server closed the connection").
    const std::string& reason() const noexcept { return *reason_; }
    /// libssh2's own words for the last error, for messages.
    std::string last_error() const;
    /// Drops the connection at once; every operation learns `why`.
    void fail(std::string why);
    /// Lets abandoned operations end, sends the disconnect message and drops the connection, all within
    /// `deadline`.
    Task<void> close(std::chrono::milliseconds deadline);

    /// The first plain bytes from the server (banner and key exchange offer), kept until handshake_done().
    std::string_view early_bytes() const noexcept { return early_; }
    void handshake_done();
    /// The server sent more than a phase of the connection may take; reason() has which one. Not worth
    /// another try.
    bool flooded() const noexcept { return flooded_; }

private:
    Session(boost::asio::io_context& loop, std::unique_ptr<ByteStream> stream);
    static void* allocate(size_t size, void** abstract);
    static void release_memory(void* memory, void** abstract);
    static void* reallocate(void* memory, size_t size, void** abstract);
    static ssize_t receive_callback(libssh2_socket_t, void* buffer, size_t length, int flags,
                                    void** abstract);
    static ssize_t send_callback(libssh2_socket_t, const void* buffer, size_t length, int flags,
                                 void** abstract);
    void on_readable() override;
    void on_writable() override;
    ssize_t receive(std::span<char> buffer);
    ssize_t receive_from_stream(std::span<char> buffer);
    bool count_received(std::string_view bytes);
    void watch_for_version(std::string_view bytes) noexcept;
    void pump();
    void step_all();
    void terminate_commands_if_due();
    void flush();
    void arm();
    void look_while_idle();
    void complete(Operation& operation);
    void tick();
    void schedule_tick();

    ConnectionFacts facts_;
    boost::asio::io_context& loop_;
    std::unique_ptr<ByteStream> byte_stream_;
    LIBSSH2_SESSION* raw_ = nullptr;
    std::vector<std::shared_ptr<Operation>> operations_;
    const Operation* turn_ = nullptr;
    PacketInspector packets_;
    std::size_t memory_ = 0;  // that libssh2 holds
    std::string outbound_;
    std::string inbound_;  // read while nothing was going on
    std::string early_;
    std::optional<std::string> reason_;
    std::optional<std::string> ending_;  // the stream has ended, but not everything received is used yet
    std::optional<int> channel_limit_;
    int open_channels_ = 0;
    int open_tunnels_ = 0;
    bool had_channels_ = false;
    int commands_ = 0;
    std::function<std::shared_ptr<Operation>()> make_terminate_commands_;
    const Operation* terminate_commands_ = nullptr;
    bool drained_ = false;        // the stream reported "nothing yet" since it was last readable
    std::size_t allowance_ = 0;   // bytes that may still be taken in this turn
    std::size_t received_ = 0;    // until the login is done
    std::size_t version_at_ = 0;  // characters of "SSH-" that begin the current line; all four: it has come
    bool line_begins_ = true;
    bool flooded_ = false;
    bool in_handshake_ = true;
    bool logged_in_ = false;
    bool pumping_ = false;
    bool again_ = false;
    bool wake_posted_ = false;
    int unanswered_ = 0;
    Keepalive keepalive_;
    Clock::time_point last_heard_{};
    boost::asio::steady_timer keepalive_timer_;
    boost::asio::steady_timer wake_timer_;
};

}  // namespace volley::transports::ssh
