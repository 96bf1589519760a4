#include "transports/coroutines/start.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <utility>

namespace volley::transports {

void start(const boost::asio::any_io_executor& executor, Task<void> work) {
    start(executor, std::move(work), [](const std::exception_ptr&) {});
}

void start(const boost::asio::any_io_executor& executor, Task<void> work,
           std::function<void(const std::exception_ptr&)> ended, boost::asio::cancellation_slot slot) {
    boost::asio::co_spawn(executor, std::move(work),
                          boost::asio::bind_cancellation_slot(slot, std::move(ended)));
}

}  // namespace volley::transports
