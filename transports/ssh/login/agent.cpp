#include "transports/ssh/login/agent.hpp"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <cstdlib>
#include <list>
#include <utility>

#include "transports/errors.hpp"
#include "transports/ssh/keys/wire_encoding.hpp"
#include "transports/ssh/shared_result.hpp"

namespace volley::transports::ssh {
namespace {

namespace asio = boost::asio;
using AgentSocket = asio::local::stream_protocol::socket;

// draft-miller-ssh-agent, section 6.1
constexpr char request_identities = 11;
constexpr char identities_answer = 12;
constexpr char sign_request = 13;
constexpr char sign_response = 14;
constexpr char agent_failure = 5;

constexpr std::uint32_t largest_reply = 256U << 10U;

/// Lets one coroutine at a time through, in order of arrival.
class AsyncMutex {
public:
    class Lock {
    public:
        explicit Lock(std::shared_ptr<AsyncMutex> mutex) : mutex_(std::move(mutex)) {}
        Lock(Lock&&) = default;
        Lock& operator=(Lock&&) = delete;
        ~Lock() {
            if (mutex_) mutex_->next();
        }

    private:
        std::shared_ptr<AsyncMutex> mutex_;
    };

    explicit AsyncMutex(asio::io_context& loop) : loop_(loop) {}

    static Task<Lock> take(std::shared_ptr<AsyncMutex> self) {
        if (self->locked_) {
            const auto waiter = self->waiting_.emplace(self->waiting_.end(), self->loop_,
                                                       asio::steady_timer::time_point::max());
            boost::system::error_code woken;
            co_await waiter->async_wait(asio::redirect_error(asio::use_awaitable, woken));
            const bool is_granted = waiter->expiry() == granted;
            self->waiting_.erase(waiter);
            if (!is_granted) throw boost::system::system_error(asio::error::operation_aborted);
        }
        self->locked_ = true;
        co_return Lock(self);
    }

private:
    static constexpr auto granted = asio::steady_timer::time_point::min();

    /// Hands the turn over; it is never free in between, so nobody overtakes.
    void next() {
        if (waiting_.empty()) {
            locked_ = false;
        } else {
            waiting_.front().expires_at(granted);
        }
    }

    asio::io_context& loop_;
    bool locked_ = false;
    std::list<asio::steady_timer> waiting_;
};

}  // namespace

struct Agent::State {
    State(Runtime& runtime, std::string socket_path, std::chrono::milliseconds time)
        : loop(runtime.loop()),
          path(std::move(socket_path)),
          deadline(time),
          socket(loop),
          mutex(std::make_shared<AsyncMutex>(loop)),
          known(std::make_shared<SharedResult<std::vector<PublicKey>>>(loop)) {}

    TransportError error(const std::string& what) const {
        return connect_error("ssh-agent at " + path + " " + what, "AUTH_ERROR");
    }

    void drop() {
        boost::system::error_code ignored;
        socket.close(ignored);
    }

    static Task<std::string> talk(std::shared_ptr<State> self, std::string request);
    static Task<std::string> attempt(std::shared_ptr<State> self, const std::string& request);
    static Task<std::string> exchange(std::shared_ptr<State> self, std::string request);
    static Task<std::vector<PublicKey>> list(std::shared_ptr<State> self);

    asio::io_context& loop;
    std::string path;
    std::chrono::milliseconds deadline;
    AgentSocket socket;
    std::shared_ptr<AsyncMutex> mutex;
    std::shared_ptr<SharedResult<std::vector<PublicKey>>> known;
};

/// One request and its reply on the socket, which is opened when it is not.
Task<std::string> Agent::State::attempt(std::shared_ptr<State> self, const std::string& request) {
    if (!self->socket.is_open()) {
        const asio::local::stream_protocol::endpoint where(self->path);
        co_await self->socket.async_connect(where, asio::use_awaitable);
    }
    std::string packet;
    put_string(packet, request);
    co_await asio::async_write(self->socket, asio::buffer(packet), asio::use_awaitable);
    std::string head(4, '\0');
    co_await asio::async_read(self->socket, asio::buffer(head), asio::use_awaitable);
    const std::uint32_t size = WireReader(head).u32();
    if (size == 0 || size > largest_reply) throw self->error("sent a reply with an invalid length");
    std::string reply(size, '\0');
    co_await asio::async_read(self->socket, asio::buffer(reply), asio::use_awaitable);
    co_return reply;
}

/// The same within the deadline. An open connection may have died since (the agent was restarted), so a
/// failure on one is tried again on a fresh one.
Task<std::string> Agent::State::talk(std::shared_ptr<State> self, std::string request) {
    bool late = false;
    asio::steady_timer timer(self->loop, self->deadline);
    timer.async_wait([&late, self = self.get()](const boost::system::error_code& code) {
        if (code) return;
        late = true;
        self->drop();
    });
    for (bool reused = self->socket.is_open();; reused = false) {
        boost::system::error_code code;
        try {
            co_return co_await attempt(self, request);
        } catch (const boost::system::system_error& failure) {
            code = failure.code();
        } catch (const Error&) {
            self->drop();
            throw;
        }
        self->drop();
        if (late) throw self->error("did not answer before the timeout");
        if (code == asio::error::operation_aborted) throw boost::system::system_error(code);
        if (!reused) throw self->error("cannot be reached: " + code.message());
    }
}

Task<std::string> Agent::State::exchange(std::shared_ptr<State> self, std::string request) {
    const AsyncMutex::Lock turn = co_await AsyncMutex::take(self->mutex);
    co_return co_await talk(self, std::move(request));
}

Task<std::vector<PublicKey>> Agent::State::list(std::shared_ptr<State> self) {
    std::string request(1, request_identities);
    const std::string reply = co_await exchange(self, std::move(request));
    if (reply.front() != identities_answer) throw self->error("did not list its keys (is it locked?)");
    std::vector<PublicKey> keys;
    try {
        WireReader reader(std::string_view(reply).substr(1));
        for (std::uint32_t left = reader.u32(); left > 0; --left) {
            PublicKey key;
            key.blob = reader.string();
            key.comment = reader.string();
            key.type = blob_type(key.blob);
            if (!key.type.empty()) keys.push_back(std::move(key));
        }
    } catch (const WireError&) {
        throw self->error("sent a malformed list of keys");
    }
    co_return keys;
}

Agent::Agent(Runtime& runtime, std::string socket_path, std::chrono::milliseconds deadline)
    : state_(std::make_shared<State>(runtime, std::move(socket_path), deadline)) {}
Agent::~Agent() = default;

Task<std::vector<PublicKey>> Agent::identities() {
    return SharedResult<std::vector<PublicKey>>::get(state_->known, State::list(state_));
}

Task<std::string> Agent::sign(std::string key_blob, std::string data, AgentFlags flags) {
    const auto state = state_;
    std::string request(1, sign_request);
    put_string(request, key_blob);
    put_string(request, data);
    put_u32(request, static_cast<std::uint32_t>(flags));
    const std::string reply = co_await State::exchange(state, std::move(request));
    if (reply.front() == agent_failure) throw state->error("refused to sign with " + fingerprint(key_blob));
    try {
        WireReader reader(reply);
        if (reply.front() == sign_response) {
            reader.byte();
            const std::string_view blob = reader.string();
            signature_body(blob);
            co_return std::string(blob);
        }
    } catch (const WireError&) {
    } catch (const KeyError&) {
    }
    throw state->error("sent a malformed signature");
}

const std::string& Agent::socket_path() const noexcept { return state_->path; }

AgentFlags agent_flags(std::string_view algorithm) noexcept {
    if (algorithm.substr(0, 12) == "rsa-sha2-512") return AgentFlags::RsaSha512;
    if (algorithm.substr(0, 12) == "rsa-sha2-256") return AgentFlags::RsaSha256;
    return AgentFlags::None;
}

std::string agent_socket_from_environment() {
    const char* path = std::getenv("SSH_AUTH_SOCK");
    return path == nullptr ? std::string() : std::string(path);
}

}  // namespace volley::transports::ssh
