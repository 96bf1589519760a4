#include "transports/pooled_connection.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include "transports/coroutines/start.hpp"
#include "transports/errors.hpp"

namespace volley::transports {

namespace asio = boost::asio;

namespace {

Task<void> close_session(std::shared_ptr<Connection> session) { co_await session->close(); }

}  // namespace

PooledConnection::PooledConnection(Runtime& runtime, Transport& transport, TargetConfig target)
    : runtime_(runtime), transport_(transport), target_(std::move(target)) {}

PooledConnection::~PooledConnection() {
    if (!alive()) return;
    try {
        auto closing = close_session(session_);
        start(runtime_.loop().get_executor(), std::move(closing));
    } catch (...) {  // out of memory: the session ends with its last owner
    }
}

const std::string& PooledConnection::user() const noexcept { return user_; }

Task<void> PooledConnection::open() {
    while (!alive()) {
        if (opening_) {
            const auto waited = opening_;
            boost::system::error_code ended;
            co_await waited->async_wait(asio::redirect_error(asio::use_awaitable, ended));
            continue;  // its own attempt, when that one failed: then the next caller gets the error
        }
        opening_ = std::make_shared<asio::steady_timer>(runtime_.loop(),
                                                        std::chrono::steady_clock::time_point::max());
        const auto opening = opening_;
        std::exception_ptr failure;
        try {
            auto connecting = transport_.connect(target_);
            session_ = co_await std::move(connecting);
            user_ = session_->user();
        } catch (...) {
            failure = std::current_exception();
        }
        opening_.reset();
        opening->cancel();
        if (failure) std::rethrow_exception(failure);
    }
}

template <class Result, class Action>
Task<Result> PooledConnection::started(Action action) {
    auto opening = open();
    co_await std::move(opening);
    const std::shared_ptr<Connection> session = session_;
    try {
        auto run = action(*session);
        co_return co_await std::move(run);
    } catch (const NotStarted&) {
        if (session->alive()) throw;
    }
    auto again = open();
    co_await std::move(again);
    const std::shared_ptr<Connection> fresh = session_;
    auto run = action(*fresh);
    co_return co_await std::move(run);
}

Task<ExitStatus> PooledConnection::execute(const Command& command, Input& input, OutputSink& sink) {
    const auto action = [&](Connection& session) { return session.execute(command, input, sink); };
    auto run = started<ExitStatus>(action);
    co_return co_await std::move(run);
}

Task<ExitStatus> PooledConnection::run(const PowerShellScript& script, Input& input, OutputSink& sink) {
    const auto action = [&](Connection& session) { return session.powershell()->run(script, input, sink); };
    auto run = started<ExitStatus>(action);
    co_return co_await std::move(run);
}

Task<Output> PooledConnection::run_task(TaskExecution task, RunOptions options) {
    const auto action = [&](Connection& session) { return session.task_agent()->run_task(task, options); };
    auto run = started<Output>(action);
    co_return co_await std::move(run);
}

Task<void> PooledConnection::close() {
    const std::shared_ptr<Connection> session = std::move(session_);
    session_.reset();
    if (!session) co_return;
    auto closing = close_session(session);
    co_await std::move(closing);
}

}  // namespace volley::transports
