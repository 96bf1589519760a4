#include "transports/winrm/more_input.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

namespace volley::transports::winrm {

Task<void> more_input(Input& input) {
    const auto executor = co_await boost::asio::this_coro::executor;
    const auto ready =
        std::make_shared<boost::asio::steady_timer>(executor, boost::asio::steady_timer::time_point::max());
    input.on_ready([ready] { ready->cancel(); });
    boost::system::error_code woken;
    co_await ready->async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, woken));
    input.on_ready({});
    const auto state = co_await boost::asio::this_coro::cancellation_state;
    if (state.cancelled() != boost::asio::cancellation_type::none)
        throw boost::system::system_error(boost::asio::error::operation_aborted);
}

}  // namespace volley::transports::winrm
