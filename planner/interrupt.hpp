#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <functional>

namespace volley::planner {

/// While it lives, the first SIGINT, SIGTERM or SIGHUP calls `on_first` on the loop. The next one ends the
/// process at once with status 128 + its number: that is done by the signal handler, so it works whatever the
/// threads are busy with. Signals that were ignored (nohup, `cmd &`) stay ignored. They may be nested; a
/// signal that came to one is news for the next one too.
class InterruptHandler {
public:
    InterruptHandler(boost::asio::io_context& loop, std::function<void()> on_first);
    ~InterruptHandler();
    InterruptHandler(const InterruptHandler&) = delete;
    InterruptHandler& operator=(const InterruptHandler&) = delete;

    /// The number of the signal that has come to any of them in this process; 0 when none has. Any thread.
    static int signal() noexcept;
    /// As if that signal had come, unless one has come already. Any thread.
    static void request(int number) noexcept;
    /// As if none had come yet, for those who go on after a run was interrupted.
    static void forget() noexcept;

private:
    boost::asio::posix::stream_descriptor news_;
};

}  // namespace volley::planner
