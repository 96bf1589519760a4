#include "planner/concurrency_limit.hpp"

#include <algorithm>
#include <boost/asio/error.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <utility>

namespace volley::planner {

namespace asio = boost::asio;

transports::Task<void> ConcurrencyLimit::acquire() {
    if (available_ > 0) {
        --available_;
        co_return;
    }
    const auto waiting = std::make_shared<Waiting>(co_await asio::this_coro::executor);
    queue_.push_back(waiting);
    // Not a wait without a deadline: every job that was admitted has its own.
    waiting->timer.expires_at(asio::steady_timer::time_point::max());
    boost::system::error_code ignored;
    co_await waiting->timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    if (waiting->admitted) co_return;
    queue_.erase(std::find(queue_.begin(), queue_.end(), waiting));
    throw boost::system::system_error(asio::error::operation_aborted);
}

void ConcurrencyLimit::release() noexcept {
    if (queue_.empty()) {
        ++available_;
        return;
    }
    const std::shared_ptr<Waiting> next = std::move(queue_.front());
    queue_.pop_front();
    next->admitted = true;
    next->timer.cancel();
}

}  // namespace volley::planner
