#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <exception>
#include <optional>
#include <utility>

#include "transports/task.hpp"

namespace volley::transports {

/// What a coroutine returned or threw, as a value.
template <class T>
struct TaskResult {
    std::optional<T> value;
    std::exception_ptr error;

    /// Throws `error` if there is one.
    T take() {
        if (error) std::rethrow_exception(error);
        return std::move(*value);
    }
};

/// Stores in `result`, which must outlive it, what `work` returns or throws; does not throw itself.
template <class T>
Task<void> keep_result(Task<T> work, TaskResult<T>& result) {
    try {
        result.value.emplace(co_await std::move(work));
    } catch (...) {
        result.error = std::current_exception();
    }
}

/// Runs both; when one has ended, the other is cancelled and waited for. Returns whether `work` ended first.
/// A `limit` that throws does not count as ended; `work` must not throw (keep_result()).
Task<bool> ends_before(Task<void> work, Task<void> limit);
/// The same with a timer; also true when the timer is cancelled.
Task<bool> ends_in_time(boost::asio::any_io_executor executor, Task<void> work,
                        boost::asio::steady_timer& limit);

/// Runs `work`, which is cancelled when the time is over; then the result is nullopt. Its exceptions come
/// through.
template <class T>
Task<std::optional<T>> within(boost::asio::any_io_executor executor, std::chrono::milliseconds time,
                              Task<T> work) {
    boost::asio::steady_timer timer(executor, time);
    TaskResult<T> result;
    auto kept = keep_result(std::move(work), result);
    auto racing = ends_in_time(executor, std::move(kept), timer);
    if (!co_await std::move(racing)) co_return std::nullopt;
    co_return result.take();
}

}  // namespace volley::transports
