#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <exception>
#include <optional>
#include <tuple>
#include <utility>

#include "transports/task.hpp"

namespace volley::transports {

/// What a coroutine returned or threw, as a value: `a || b` waits for b when a throws.
template <class T>
struct TaskResult {
    std::optional<T> value;
    std::exception_ptr error;
};

template <class T>
Task<TaskResult<T>> as_result(Task<T> work) {
    TaskResult<T> outcome;
    try {
        outcome.value.emplace(co_await std::move(work));
    } catch (...) {
        outcome.error = std::current_exception();
    }
    co_return outcome;
}

/// Runs `work`, which is cancelled when the time is over; then the result is nullopt. Its exceptions come
/// through.
template <class T>
Task<std::optional<T>> within(boost::asio::any_io_executor executor, std::chrono::milliseconds time,
                              Task<T> work) {
    namespace asio = boost::asio;
    asio::steady_timer timer(executor, time);
    // Not `work || timer`, where the timer that is no longer needed ends by throwing, which costs as much as
    // a request.
    auto watched = asio::co_spawn(executor, as_result(std::move(work)), asio::deferred);
    auto waiting = timer.async_wait(asio::deferred);
    auto both = asio::experimental::make_parallel_group(std::move(watched), std::move(waiting));
    const asio::experimental::wait_for_one_success until;
    auto outcome = co_await both.async_wait(until, asio::use_awaitable);
    const auto& [order, never_ran, unused, not_over] = outcome;
    if (order[0] == 1 && !not_over) co_return std::nullopt;
    if (never_ran) std::rethrow_exception(never_ran);
    TaskResult<T>& result = std::get<2>(outcome);
    if (result.error) std::rethrow_exception(result.error);
    co_return std::move(result.value);
}

}  // namespace volley::transports
