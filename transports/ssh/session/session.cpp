#include "transports/ssh/session/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <cstring>

#include "transports/errors.hpp"
#include "transports/ssh/session/libssh2_library.hpp"
#include "transports/ssh/session/session_operations.hpp"

namespace volley::transports::ssh {
namespace {

namespace asio = boost::asio;

/// How much a server may send while the session is idle.
constexpr std::size_t idle_limit = 1024 * 1024;

/// What a server may send in each phase of connecting. libssh2 knows no limits: it reads a version line that
/// never comes for ever, and keeps every packet that it did not ask for.
constexpr std::size_t before_version_limit = 16 * 1024;  // RFC 4253, 4.2 allows lines of text in front of it
constexpr std::size_t handshake_limit = 256 * 1024;
constexpr std::size_t login_limit = 4 * 1024 * 1024;
/// Afterwards commands may write what they like, for that is taken at once; what is left with libssh2 is not.
constexpr std::size_t memory_limit = 64 * 1024 * 1024;
constexpr std::size_t memory_limit_of_channel = 4 * 1024 * 1024;  // its window is 2 MiB
/// What one session takes before the others, timers and signals have their turn.
constexpr std::size_t turn_while_connecting = 64 * 1024;
constexpr std::size_t turn_afterwards = 1024 * 1024;
constexpr std::size_t early_limit = before_version_limit + 4096;  // space for the offer after the text

constexpr std::string_view version_start = "SSH-";

Session& self(void** abstract) { return *static_cast<Session*>(*abstract); }

}  // namespace

std::shared_ptr<Session> Session::create(asio::io_context& loop, std::unique_ptr<ByteStream> stream) {
    initialize_library();
    std::shared_ptr<Session> session(new Session(loop, std::move(stream)));
    if (session->raw_ == nullptr) throw connect_error("Out of memory for an SSH session");
    return session;
}

Session::Session(asio::io_context& loop, std::unique_ptr<ByteStream> stream)
    : loop_(loop), byte_stream_(std::move(stream)), keepalive_timer_(loop), wake_timer_(loop) {
    byte_stream_->observe(this);
    raw_ = libssh2_session_init_ex(&Session::allocate, &Session::release_memory, &Session::reallocate, this);
    if (raw_ == nullptr) return;
    libssh2_session_set_blocking(raw_, 0);
    set_stream_callbacks(raw_, &Session::receive_callback, &Session::send_callback);
}

Session::~Session() {
    if (!reason_) reason_ = "closed";  // from here on the callbacks refuse, so that nothing below waits
    byte_stream_->close();
    if (raw_ != nullptr) {
        while (libssh2_session_free(raw_) == LIBSSH2_ERROR_EAGAIN) {
        }
    }
}

void* Session::allocate(size_t size, void** abstract) {
    void* const memory = tracked_allocate(size);
    if (memory != nullptr) self(abstract).memory_ += tracked_size(memory);
    return memory;
}

void* Session::reallocate(void* memory, size_t size, void** abstract) {
    const std::size_t before = tracked_size(memory);
    void* const moved = tracked_reallocate(memory, size);
    if (moved != nullptr) self(abstract).memory_ += tracked_size(moved) - before;
    return moved;
}

void Session::release_memory(void* memory, void** abstract) {
    // What libssh2 frees for our own callbacks was never counted.
    self(abstract).memory_ -= std::min(self(abstract).memory_, tracked_size(memory));
    // While the session itself is being freed there is nothing to learn any more.
    if (!self(abstract).reason_) self(abstract).packets_.freeing(memory, tracked_size(memory));
    tracked_free(memory);
}

ssize_t Session::receive_callback(libssh2_socket_t, void* buffer, size_t length, int, void** abstract) {
    return self(abstract).receive(std::span(static_cast<char*>(buffer), length));
}

ssize_t Session::send_callback(libssh2_socket_t, const void* buffer, size_t length, int, void** abstract) {
    Session& session = self(abstract);
    if (session.reason_) return -EPIPE;
    session.outbound_.append(static_cast<const char*>(buffer), length);
    return static_cast<ssize_t>(length);
}

ssize_t Session::receive(std::span<char> buffer) {
    if (reason_) return -ECONNRESET;
    if (flooded_ || (ending_ && drained_)) return -EAGAIN;
    if (!inbound_.empty()) {
        const std::size_t n = std::min(buffer.size(), inbound_.size());
        std::memcpy(buffer.data(), inbound_.data(), n);
        inbound_.erase(0, n);
        if (inbound_.empty()) std::string().swap(inbound_);
        return static_cast<ssize_t>(n);
    }
    if (drained_) return -EAGAIN;
    if (allowance_ == 0) {
        wake_later();
        return -EAGAIN;
    }
    return receive_from_stream(buffer.first(std::min(buffer.size(), allowance_)));
}

ssize_t Session::receive_from_stream(std::span<char> buffer) {
    const ssize_t n = byte_stream_->receive(buffer);
    if (n > 0) {
        // A short read has emptied the socket; what comes later makes it readable again.
        drained_ = static_cast<std::size_t>(n) < buffer.size();
        allowance_ -= static_cast<std::size_t>(n);
        unanswered_ = 0;
        last_heard_ = Clock::now();
        if (!count_received(std::string_view(buffer.data(), static_cast<std::size_t>(n)))) return -EAGAIN;
    } else if (n == -EAGAIN) {
        drained_ = true;
    } else {
        // libssh2 would throw away what it has received before the end. It gets "nothing yet"; the pump
        // fails the session when the operations have taken everything.
        drained_ = true;
        ending_ = n == 0 ? "the server closed the connection"
                         : fmt::format("connection error: {}", std::strerror(static_cast<int>(-n)));
        return -EAGAIN;
    }
    return n;
}

/// False when it is more than the phase allows: then libssh2 gets no more, and the pump fails the session.
bool Session::count_received(std::string_view bytes) {
    if (in_handshake_ && early_.size() < early_limit) early_ += bytes;
    if (!logged_in_) received_ += bytes.size();
    watch_for_version(bytes);
    if (logged_in_) {
        const auto channels = static_cast<std::size_t>(open_channels_ + open_tunnels_);
        if (memory_ <= memory_limit + channels * memory_limit_of_channel) return true;
        ending_ = fmt::format("the server keeps sending packets that were not requested (limit {} MiB)",
                              memory_limit / 1024 / 1024);
    } else if (!in_handshake_) {
        if (received_ <= login_limit) return true;
        ending_ = fmt::format("the server sent more than {} MiB before the login was complete",
                              login_limit / 1024 / 1024);
    } else if (version_at_ == version_start.size()) {
        if (received_ <= handshake_limit) return true;
        ending_ = fmt::format("the server sent more than {} KiB before the key exchange was complete",
                              handshake_limit / 1024);
    } else {
        if (received_ <= before_version_limit) return true;
        ending_ = fmt::format("the server sent more than {} KiB without an SSH identification string",
                              before_version_limit / 1024);
    }
    return !(flooded_ = true);
}

void Session::watch_for_version(std::string_view bytes) noexcept {
    for (std::size_t i = 0; in_handshake_ && version_at_ < version_start.size() && i < bytes.size(); ++i) {
        if (line_begins_ && bytes[i] == version_start[version_at_]) {
            ++version_at_;
        } else {
            line_begins_ = bytes[i] == '\n';
            version_at_ = 0;
        }
    }
}

Task<void> Session::run(std::shared_ptr<Operation> operation) {
    const auto keep = shared_from_this();
    start(operation);
    if (operation->done_) co_return;
    asio::steady_timer event(loop_, Clock::time_point::max());
    struct AbandonUnlessDone {
        Session& session;
        Operation& operation;
        ~AbandonUnlessDone() {
            operation.event_ = nullptr;
            if (operation.done_) return;
            operation.abandon();
            session.wake();
        }
    };
    operation->event_ = &event;
    const AbandonUnlessDone at_end{*this, *operation};
    boost::system::error_code ended;
    co_await event.async_wait(asio::redirect_error(asio::use_awaitable, ended));
    if (operation->done_) co_return;
    throw boost::system::system_error(asio::error::operation_aborted);
}

void Session::start(std::shared_ptr<Operation> operation) {
    if (reason_) {
        operation->lost(*reason_);
        operation->done_ = true;
        return;
    }
    operations_.push_back(std::move(operation));
    if (pumping_) {
        again_ = true;
    } else {
        pump();
    }
}

Task<int> Session::drive(std::function<int()> call) {
    auto operation = std::make_shared<Call>(std::move(call));
    co_await run(operation);
    co_return operation->result();
}

void Session::complete(Operation& operation) {
    operation.done_ = true;
    if (turn_ == &operation) turn_ = nullptr;
    if (terminate_commands_ == &operation) terminate_commands_ = nullptr;
    if (operation.event_ != nullptr) operation.event_->cancel();
}

void Session::pump() {
    const auto keep = shared_from_this();
    pumping_ = true;
    allowance_ = logged_in_ ? turn_afterwards : turn_while_connecting;
    do {
        again_ = false;
        step_all();
        terminate_commands_if_due();
        if (!reason_) flush();
    } while (again_ && !reason_);
    pumping_ = false;
    if (reason_ || (wake_posted_ && !flooded_))
        return;  // failed by a step, or one has not taken everything yet
    if (ending_) {
        fail(*ending_);
    } else {
        arm();
    }
}

void Session::step_all() {
    // Steps may start further operations (at the end); only this loop removes them.
    for (std::size_t i = 0; i < operations_.size() && !reason_;) {
        const std::shared_ptr<Operation> operation = operations_[i];
        const bool done = operation->step(*this);
        if (reason_) return;  // failed meanwhile: every operation has been notified
        if (!done) {
            ++i;
            continue;
        }
        operations_.erase(operations_.begin() + static_cast<std::ptrdiff_t>(i));
        complete(*operation);
        again_ = again_ || !operations_.empty();
    }
}

void Session::terminate_commands_if_due() {
    if (!make_terminate_commands_ || commands_ > 0 || reason_) return;
    auto operation = std::exchange(make_terminate_commands_, nullptr)();
    terminate_commands_ = operation.get();
    start(std::move(operation));
}

void Session::flush() {
    std::size_t sent = 0;
    while (sent < outbound_.size()) {
        const ssize_t n = byte_stream_->send(std::string_view(outbound_).substr(sent));
        if (n == -EAGAIN) break;
        if (n < 0) {
            // What the server sent before may still be there to read.
            again_ = again_ || !ending_;
            drained_ = false;
            ending_ = fmt::format("connection error: {}", std::strerror(static_cast<int>(-n)));
            outbound_.clear();
            return;
        }
        sent += static_cast<std::size_t>(n);
    }
    if (sent == 0) return;
    again_ = again_ || (outbound_.size() >= send_limit && outbound_.size() - sent < send_limit);
    if (sent == outbound_.size()) {
        std::string().swap(outbound_);  // thousands of idle sessions must not each keep a buffer
    } else {
        outbound_.erase(0, sent);
    }
}

void Session::arm() {
    if (!outbound_.empty()) byte_stream_->wait_writable();
    byte_stream_->wait_readable();
}

void Session::on_readable() {
    drained_ = false;
    if (operations_.empty()) {
        look_while_idle();
    } else {
        pump();
    }
}

void Session::on_writable() { pump(); }

void Session::look_while_idle() {
    const auto keep = shared_from_this();
    char buffer[4096];
    ssize_t n = 0;
    std::string news;
    allowance_ = turn_while_connecting;
    while (inbound_.size() + news.size() <= idle_limit && (n = receive(buffer)) > 0) {
        news.append(buffer, static_cast<std::size_t>(n));
    }
    inbound_ += news;
    if (inbound_.size() > idle_limit) {
        fail("the server sent data that was not requested");
    } else if (ending_) {
        fail(*ending_);
    } else if (!logged_in_ || inbound_.empty()) {
        arm();
    } else {
        start(std::make_shared<Answer>());
    }
}

void Session::wake() {
    if (pumping_) {
        again_ = true;
    } else {
        wake_later();
    }
}

void Session::wake_later() {
    if (!std::exchange(wake_posted_, true)) {
        asio::post(loop_, [weak = weak_from_this()] {
            const auto session = weak.lock();
            if (!session) return;
            session->wake_posted_ = false;
            if (session->alive() && !session->pumping_) session->pump();
        });
    }
}

void Session::wake_after(std::chrono::milliseconds delay) {
    if (wake_timer_.expiry() > Clock::now() && wake_timer_.expiry() <= Clock::now() + delay) return;
    wake_timer_.expires_after(delay);
    wake_timer_.async_wait([weak = weak_from_this()](auto error) {
        if (const auto session = weak.lock(); session && !error) session->wake();
    });
}

bool Session::take_turn(const Operation& who) {
    if (turn_ == nullptr) turn_ = &who;
    return turn_ == &who;
}

void Session::give_turn(const Operation& who) {
    if (turn_ != &who) return;
    turn_ = nullptr;
    again_ = true;
}

void Session::release(LIBSSH2_CHANNEL* channel) { start(std::make_shared<Release>(channel, open_channels_)); }

void Session::handshake_done() {
    in_handshake_ = false;
    const auto method = [this](int kind) {
        const char* name = libssh2_session_methods(raw_, kind);
        return std::string_view(name == nullptr ? "" : name);
    };
    packets_.set_algorithms(method(LIBSSH2_METHOD_CRYPT_SC), method(LIBSSH2_METHOD_MAC_SC));
    std::string().swap(early_);
}

std::string Session::last_error() const {
    char* text = nullptr;
    int length = 0;
    libssh2_session_last_error(raw_, &text, &length, 0);
    return {text, static_cast<std::size_t>(length)};
}

void Session::fail(std::string why) {
    const auto keep = shared_from_this();
    reason_ = std::move(why);
    byte_stream_->close();
    keepalive_timer_.cancel();
    wake_timer_.cancel();
    turn_ = nullptr;
    std::string().swap(outbound_);
    const auto orphans = std::exchange(operations_, {});
    for (const auto& operation : orphans) {
        operation->lost(*reason_);
        complete(*operation);
    }
}

void Session::keep_alive(Keepalive policy) {
    logged_in_ = true;
    keepalive_ = policy;
    if (keepalive_.interval.count() <= 0) return;
    libssh2_keepalive_config(raw_, 1, 1);  // when to ask is decided here; libssh2 only forms the question
    last_heard_ = Clock::now();
    schedule_tick();
}

void Session::schedule_tick() {
    keepalive_timer_.expires_at(
        std::max(last_heard_ + keepalive_.interval * (unanswered_ + 1), Clock::now()));
    keepalive_timer_.async_wait([weak = weak_from_this()](auto error) {
        if (const auto session = weak.lock(); session && !error) session->tick();
    });
}

void Session::tick() {
    if (!alive()) return;
    const auto silence = Clock::now() - last_heard_;
    if (operations_.empty() || silence < keepalive_.interval) {
        // An idle session need not be watched: its loss shows when the socket ends or at the next command.
        unanswered_ = 0;
        if (operations_.empty()) last_heard_ = Clock::now();
    } else if (unanswered_ >= keepalive_.count) {
        return fail(fmt::format("no answer for {} seconds",
                                std::chrono::duration_cast<std::chrono::seconds>(silence).count()));
    } else {
        ++unanswered_;
        int next = 0;
        libssh2_keepalive_send(raw_, &next);
        pump();
    }
    if (alive()) schedule_tick();
}

Task<void> Session::close(std::chrono::milliseconds deadline) {
    const auto keep = shared_from_this();
    if (!alive()) co_return;
    asio::steady_timer limit(loop_, deadline);
    limit.async_wait([weak = weak_from_this()](auto error) {
        if (const auto session = weak.lock(); session && !error)
            session->fail("closing the connection timed out");
    });
    try {
        co_await run(std::make_shared<Disconnect>(operations_));
    } catch (const boost::system::system_error&) {
        // Cancelled: drop it at once.
    }
    limit.cancel();
    if (alive()) fail("closed");
}

}  // namespace volley::transports::ssh
