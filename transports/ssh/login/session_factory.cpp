#include "transports/ssh/login/session_factory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <random>

#include "support/log.hpp"
#include "support/text.hpp"
#include "transports/coroutines/within.hpp"
#include "transports/net/tcp_connect.hpp"
#include "transports/ssh/log_step.hpp"
#include "transports/ssh/login/handshake.hpp"
#include "transports/ssh/session/tunnel.hpp"
#include "transports/ssh/ssh_errors.hpp"

namespace volley::transports::ssh {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

std::string server_name(const Settings& settings) {
    return fmt::format("{}:{}", settings.address, settings.port);
}

/// 100 ms, 200 ms ... 1.6 s, each plus or minus a half, so that the refused do not all come back together.
milliseconds backoff(int attempt) {
    static thread_local std::minstd_rand random{std::random_device{}()};
    const int base = 100 << std::min(attempt, 4);
    return milliseconds(std::uniform_int_distribution<int>(base / 2, base * 3 / 2)(random));
}

std::vector<std::string> endpoint_texts(const Endpoints& endpoints) {
    std::vector<std::string> texts;
    for (const auto& each : endpoints) {
        texts.push_back(fmt::format("{} port {}", each.address().to_string(), each.port()));
    }
    return texts;
}

double seconds_since(Clock::time_point since) {
    return std::chrono::duration<double>(Clock::now() - since).count();
}

std::string peer_of(const asio::ip::tcp::socket& socket) {
    boost::system::error_code unknown;
    const auto peer = socket.remote_endpoint(unknown);
    return unknown ? std::string("the server") : endpoint_texts({peer}).front();
}

Task<void> pause(asio::io_context& loop, milliseconds delay) {
    asio::steady_timer timer(loop, delay);
    co_await timer.async_wait(asio::use_awaitable);
}

}  // namespace

SessionFactory::SessionFactory(Runtime& runtime)
    : runtime_(runtime),
      resolver_(runtime.loop()),
      login_limiter_(runtime.loop()),
      known_hosts_(runtime),
      credentials_(runtime) {}

SessionFactory::~SessionFactory() = default;

Task<std::shared_ptr<Session>> SessionFactory::connect(SharedSettings settings,
                                                       std::vector<SharedSettings> hops, bool is_hop) {
    constexpr int attempts_at_most = 12;
    milliseconds left = settings->connect_timeout;
    for (int attempts = 0;; ++attempts) {
        std::exception_ptr refusal;
        LoginLimiter::Permit permit =
            co_await login_limiter_.acquire(server_name(*settings), settings->connect_timeout, is_hop);
        const auto start = Clock::now();
        const auto asked = runtime_.questions().waited();
        const auto took = [&] { return Clock::now() - start - (runtime_.questions().waited() - asked); };
        try {
            const std::shared_ptr<Session> session = co_await attempt(settings, hops, left, permit);
            permit.succeeded(took());
            co_return session;
        } catch (const Refused&) {
            if (!settings->proxy_command.empty()) throw;  // most likely the command does not work
            refusal = std::current_exception();
        }
        permit.refused();
        log_step(LogLevel::Debug, settings->label,
                 "the server closed the connection at once; attempt {} of {}", attempts + 1,
                 attempts_at_most);
        const milliseconds delay = backoff(attempts);
        left -= std::chrono::duration_cast<milliseconds>(took()) + delay;
        if (attempts + 1 >= attempts_at_most || left <= milliseconds(0)) std::rethrow_exception(refusal);
        co_await pause(runtime_.loop(), delay);
    }
}

Task<std::shared_ptr<Session>> SessionFactory::attempt(SharedSettings settings,
                                                       std::vector<SharedSettings> hops, milliseconds limit,
                                                       LoginLimiter::Permit& permit) {
    const auto progress = std::make_shared<Progress>(Progress{"", &permit});
    auto timer = runtime_.questions().expire(runtime_.loop(), limit);
    TaskResult<std::shared_ptr<Session>> outcome;
    auto work = log_in(settings, std::move(hops), progress);
    auto kept = keep_result(std::move(work), outcome);
    auto racing = ends_before(std::move(kept), std::move(timer));
    if (!co_await std::move(racing)) {
        permit.timed_out();
        throw connect_error(fmt::format("Timeout after {} seconds connecting to {}: {}",
                                        settings->connect_timeout.count(), settings->label, progress->stage));
    }
    co_return outcome.take();
}

Task<std::shared_ptr<Session>> SessionFactory::log_in(SharedSettings settings,
                                                      std::vector<SharedSettings> hops,
                                                      std::shared_ptr<Progress> progress) {
    const auto begin = Clock::now();
    progress->stage =
        hops.empty() ? "no answer to the connection request" : "no connection through the jump host";
    std::unique_ptr<ByteStream> stream = co_await open_stream(settings, std::move(hops), progress);
    const std::shared_ptr<Session> session = Session::create(runtime_.loop(), std::move(stream));
    struct Drop {
        Session& session;
        bool kept = false;
        ~Drop() {
            if (!kept && session.alive()) session.fail("the login was abandoned");
        }
    };
    Drop drop{*session};
    progress->stage = "the server accepted the connection but did not finish the key exchange";
    session->facts() = progress->facts;
    const auto connected = Clock::now();
    co_await perform_handshake(session, *settings, known_hosts_);
    session->facts().key_exchange = seconds_since(connected);
    progress->stage = "the login did not finish";
    co_await log_in_at(session, settings);
    log_step(LogLevel::Debug, settings->label, "logged in as {} after {:.3f} s", settings->user,
             seconds_since(begin));
    session->keep_alive(settings->keepalive);
    drop.kept = true;
    co_return session;
}

/// A server waits two minutes for a login (LoginGraceTime), a person may take longer to find a passphrase.
Task<void> SessionFactory::log_in_at(std::shared_ptr<Session> session, SharedSettings settings) {
    const auto begin = Clock::now();
    const auto asked = runtime_.questions().waited();
    std::optional<TransportError> failure;
    try {
        co_await authenticate(session, *settings, credentials_);
        const auto answering = runtime_.questions().waited() - asked;
        session->facts().authentication = seconds_since(begin + answering);
        co_return;
    } catch (const Unsupported&) {
        throw;
    } catch (const TransportError& error) {
        failure = error;
    }
    if (session->alive() || runtime_.questions().waited() == asked) throw *failure;
    throw Refused(*failure);
}

Task<std::unique_ptr<ByteStream>> SessionFactory::open_stream(SharedSettings settings,
                                                              std::vector<SharedSettings> hops,
                                                              std::shared_ptr<Progress> progress) {
    if (!hops.empty()) co_return co_await tunnel(std::move(settings), std::move(hops));
    if (settings->proxy_command.empty())
        co_return co_await connect_directly(std::move(settings), std::move(progress));
    log_step(LogLevel::Debug, settings->label, "starting the ProxyCommand '{}'", settings->proxy_command);
    co_return start_proxy_command(runtime_.loop(), settings->proxy_command);
}

Task<std::unique_ptr<ByteStream>> SessionFactory::connect_directly(SharedSettings settings,
                                                                   std::shared_ptr<Progress> progress) {
    std::string why;
    try {
        progress->stage = "its host name could not be resolved in time";
        const auto asked = Clock::now();
        Endpoints endpoints = co_await resolver_.resolve(settings->address, settings->port, settings->family);
        progress->facts.name_resolution = seconds_since(asked);
        progress->stage = "no answer to the connection request";
        log_step(LogLevel::Debug, settings->label, "connecting to {}", join(endpoint_texts(endpoints), ", "));
        const auto begin = Clock::now();
        LoginLimiter::Permit::Connecting connecting(runtime_.loop(), *progress->permit);
        asio::ip::tcp::socket socket = co_await tcp_connect(runtime_.loop(), std::move(endpoints));
        connecting.answered();
        progress->facts.connect = seconds_since(begin);
        progress->facts.address = peer_of(socket);
        log_step(LogLevel::Debug, settings->label, "connected to {} after {:.3f} s", progress->facts.address,
                 progress->facts.connect);
        co_return make_socket_stream(asio::generic::stream_protocol::socket(std::move(socket)));
    } catch (const TransportError& error) {
        why = error.what();
    } catch (const boost::system::system_error& error) {
        if (error.code() == asio::error::operation_aborted) throw;
        why = fmt::format("{} ({} port {})", error.code().message(), settings->address, settings->port);
    }
    throw failed_to_connect(settings->label, why);
}

std::shared_ptr<JumpHostSessions> SessionFactory::jump_host(const std::vector<SharedSettings>& hops) {
    std::string key;
    for (const SharedSettings& hop : hops) key += fmt::format("{}@{} ", hop->user, server_name(*hop));
    std::shared_ptr<JumpHostSessions>& entry = jump_hosts_[key];
    if (!entry) {
        entry = std::make_shared<JumpHostSessions>(runtime_.loop(), [this, hops] {
            std::vector<SharedSettings> before(hops.begin(), hops.end() - 1);
            return connect(hops.back(), std::move(before), true);
        });
    }
    return entry;
}

Task<std::unique_ptr<ByteStream>> SessionFactory::tunnel(SharedSettings settings,
                                                         std::vector<SharedSettings> hops) {
    const std::shared_ptr<JumpHostSessions> through = jump_host(hops);
    log_step(LogLevel::Debug, settings->label, "connecting to {} port {} through {}", settings->address,
             settings->port, hops.back()->label);
    std::string why;
    try {
        co_return co_await through->tunnel(settings->address, settings->port);
    } catch (const TransportError& error) {
        why = error.what();
    }
    const std::string& jump = hops.back()->label;
    const std::string known = fmt::format("Failed to connect to {}: ", jump);
    if (why.starts_with(known)) why.erase(0, known.size());
    const bool says_where = why.find(jump) != std::string::npos;
    throw failed_to_connect(settings->label, says_where ? why : fmt::format("{}: {}", jump, why));
}

}  // namespace volley::transports::ssh
