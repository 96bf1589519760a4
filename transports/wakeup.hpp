#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <utility>

namespace volley::transports {

/// Wakes a coroutine that waits on `timer`, which never fires by itself. Handlers may fire after what waits
/// is over, so they share it. Loop thread only.
struct Wakeup {
    explicit Wakeup(const boost::asio::any_io_executor& executor) : timer(executor) {
        timer.expires_at(boost::asio::steady_timer::time_point::max());
    }
    void notify() {
        notified = true;
        timer.cancel();
    }
    boost::asio::steady_timer timer;
    bool notified = false;
};

}  // namespace volley::transports
