#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <functional>

namespace volley::planner {

/// While it lives, the first SIGINT, SIGTERM or SIGHUP calls `on_first` on the loop; the next one ends the
/// process at once with status 130, even when the loop is busy. Signals that were ignored (nohup, `cmd &`)
/// stay ignored.
class InterruptHandler {
public:
    InterruptHandler(boost::asio::io_context& loop, std::function<void()> on_first);
    ~InterruptHandler();
    InterruptHandler(const InterruptHandler&) = delete;
    InterruptHandler& operator=(const InterruptHandler&) = delete;

private:
    boost::asio::signal_set signals_;
    bool interrupted_ = false;
};

}  // namespace volley::planner
