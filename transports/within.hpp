#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <exception>
#include <optional>
#include <utility>
#include <variant>

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
    using boost::asio::experimental::awaitable_operators::operator||;
    boost::asio::steady_timer timer(executor, time);
    auto watched = as_result(std::move(work));
    auto waiting = timer.async_wait(boost::asio::use_awaitable);
    auto outcome = co_await (std::move(watched) || std::move(waiting));
    if (outcome.index() == 1) co_return std::nullopt;
    TaskResult<T>& result = std::get<0>(outcome);
    if (result.error) std::rethrow_exception(result.error);
    co_return std::move(result.value);
}

}  // namespace volley::transports
