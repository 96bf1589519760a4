#include "transports/pool.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "transports/coroutines/start.hpp"
#include "transports/pooled_connection.hpp"

namespace volley::transports {

namespace asio = boost::asio;

namespace {

class PooledSession final : public Session {
public:
    PooledSession(Runtime& runtime, Transport& transport, const TargetConfig& target)
        : runtime_(runtime), connection_(runtime, transport, target) {}
    /// Which one it is depends on what the connection can do once it is open.
    Shell& shell() override {
        if (!shell_) shell_ = make_shell(connection_, connection_.target(), runtime_);
        return *shell_;
    }
    PooledConnection& connection() override { return connection_; }

private:
    Runtime& runtime_;
    PooledConnection connection_;
    std::unique_ptr<Shell> shell_;  // uses the connection
};

bool same_options(const std::shared_ptr<const Json>& a, const std::shared_ptr<const Json>& b) {
    return a == b || (a && b && *a == *b);
}

bool same_destination(const TargetConfig& a, const TargetConfig& b) {
    return a.transport == b.transport && a.host == b.host && a.port == b.port && a.user == b.user &&
           a.password == b.password && a.runs_powershell == b.runs_powershell &&
           same_options(a.options, b.options);
}

// How many sessions are still closing; the last one wakes who waits.
struct Closing {
    explicit Closing(asio::io_context& loop) : timer(loop) {}
    asio::steady_timer timer;
    std::size_t left = 0;
};

}  // namespace

struct ConnectionPool::State {
    explicit State(Runtime& owner) : runtime(owner) {}

    Transport& transport(const std::string& name) {
        std::unique_ptr<Transport>& known = transports[name];
        if (!known) known = make_transport(name, runtime);
        return *known;
    }

    Runtime& runtime;
    std::unordered_map<std::string, std::unique_ptr<Transport>> transports;  // outlive the sessions
    std::unordered_map<std::string, std::shared_ptr<PooledSession>> sessions;
};

ConnectionPool::ConnectionPool(Runtime& runtime) : state_(std::make_unique<State>(runtime)) {}

ConnectionPool::~ConnectionPool() = default;

Task<std::shared_ptr<Session>> ConnectionPool::acquire(TargetConfig target) {
    std::shared_ptr<PooledSession>& pooled = state_->sessions[target.name];
    if (!pooled || !same_destination(pooled->connection().target(), target)) {
        try {
            pooled =
                std::make_shared<PooledSession>(state_->runtime, state_->transport(target.transport), target);
        } catch (...) {
            state_->sessions.erase(target.name);
            throw;
        }
    }
    const std::shared_ptr<PooledSession> session = pooled;  // the map may change while we wait
    auto opening = session->connection().open();
    co_await std::move(opening);
    co_return session;
}

void ConnectionPool::drop(const std::string& target_name) { state_->sessions.erase(target_name); }

Task<void> ConnectionPool::close_all(std::chrono::milliseconds deadline) {
    const auto closing = std::make_shared<Closing>(state_->runtime.loop());
    closing->timer.expires_after(deadline);
    for (auto& [name, session] : state_->sessions) {
        if (!session->connection().alive()) continue;
        ++closing->left;
        auto close = session->connection().close();
        start(state_->runtime.loop().get_executor(), std::move(close),
              [closing, session = session](const std::exception_ptr&) {
                  if (--closing->left == 0) closing->timer.cancel();
              });
    }
    if (closing->left > 0) {
        boost::system::error_code ended;
        co_await closing->timer.async_wait(asio::redirect_error(asio::use_awaitable, ended));
    }
    state_->sessions.clear();
}

}  // namespace volley::transports
