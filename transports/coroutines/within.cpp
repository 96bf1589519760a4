#include "transports/coroutines/within.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace volley::transports {
namespace {

namespace asio = boost::asio;

/// `limit_failed`: an exception or an error code.
template <class Failure>
bool work_was_first(std::size_t first, const std::exception_ptr& never_ran, const Failure& limit_failed) {
    if (first == 1 && !limit_failed) return false;
    if (never_ran) std::rethrow_exception(never_ran);
    return true;
}

}  // namespace

Task<bool> ends_before(Task<void> work, Task<void> limit) {
    const auto executor = co_await asio::this_coro::executor;
    auto watched = asio::co_spawn(executor, std::move(work), asio::deferred);
    auto waiting = asio::co_spawn(executor, std::move(limit), asio::deferred);
    auto both = asio::experimental::make_parallel_group(std::move(watched), std::move(waiting));
    const asio::experimental::wait_for_one_success until;
    auto outcome = co_await both.async_wait(until, asio::use_awaitable);
    const auto& [order, never_ran, limit_failed] = outcome;
    co_return work_was_first(order[0], never_ran, limit_failed);
}

Task<bool> ends_in_time(asio::any_io_executor executor, Task<void> work, asio::steady_timer& limit) {
    auto watched = asio::co_spawn(executor, std::move(work), asio::deferred);
    // Not as a coroutine, where a timer that is no longer needed ends by throwing, which costs as much as a
    // request.
    auto waiting = limit.async_wait(asio::deferred);
    auto both = asio::experimental::make_parallel_group(std::move(watched), std::move(waiting));
    const asio::experimental::wait_for_one_success until;
    auto outcome = co_await both.async_wait(until, asio::use_awaitable);
    const auto& [order, never_ran, not_over] = outcome;
    co_return work_was_first(order[0], never_ran, not_over);
}

}  // namespace volley::transports
