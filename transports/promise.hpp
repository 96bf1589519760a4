#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <optional>

#include "transports/task.hpp"

namespace volley::transports {

/// A result that comes once, awaited by one coroutine that may be cancelled meanwhile (who sets it need not
/// know). Loop thread only.
template <class T>
class Promise {
public:
    explicit Promise(boost::asio::io_context& loop)
        : event_(loop, boost::asio::steady_timer::time_point::max()) {}

    void set(T value) {
        if (value_) return;
        value_ = std::move(value);
        event_.cancel();
    }
    bool is_set() const noexcept { return value_.has_value(); }

    /// Throws boost::system::system_error(operation_aborted) when cancelled.
    Task<T> wait() {
        if (!value_) {
            boost::system::error_code ended;
            co_await event_.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, ended));
        }
        if (!value_) throw boost::system::system_error(boost::asio::error::operation_aborted);
        co_return std::move(*value_);
    }

private:
    boost::asio::steady_timer event_;
    std::optional<T> value_;
};

}  // namespace volley::transports
