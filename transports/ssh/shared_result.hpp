#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "transports/coroutines/start.hpp"
#include "transports/task.hpp"

namespace volley::transports::ssh {

/// A result computed once and shared by all who ask, also by those who ask while it is being computed. A
/// failure is kept as well. The job runs for itself: a caller that is cancelled does not take it away from
/// the others. Loop thread only.
template <class T>
class SharedResult {
public:
    explicit SharedResult(boost::asio::io_context& loop)
        : loop_(loop), done_(loop, boost::asio::steady_timer::time_point::max()) {}

    /// `job` has not begun (coroutines are lazy); it is dropped when another caller's has. Throws what the
    /// job threw.
    static Task<T> get(std::shared_ptr<SharedResult> self, Task<T> job) {
        if (!self->started_) {
            self->started_ = true;
            auto running = run(self, std::move(job));
            start(self->loop_.get_executor(), std::move(running));
        }
        if (!self->finished()) {
            boost::system::error_code woken;
            co_await self->done_.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, woken));
        }
        if (!self->finished()) throw boost::system::system_error(boost::asio::error::operation_aborted);
        if (self->failure_) std::rethrow_exception(self->failure_);
        co_return *self->value_;
    }

private:
    static Task<void> run(std::shared_ptr<SharedResult> self, Task<T> job) {
        try {
            self->value_.emplace(co_await std::move(job));
        } catch (...) {
            self->failure_ = std::current_exception();
        }
        self->done_.cancel();
    }
    bool finished() const noexcept { return value_.has_value() || failure_; }

    boost::asio::io_context& loop_;
    boost::asio::steady_timer done_;  // never expires; cancelled when the result is there
    bool started_ = false;
    std::optional<T> value_;
    std::exception_ptr failure_;
};

}  // namespace volley::transports::ssh
