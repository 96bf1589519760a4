#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>

#include "transports/task.hpp"

namespace volley::transports {

/// Threads for calls that block for as long as another machine likes, such as those of a Kerberos library
/// that asks a KDC. They are started when needed; nobody waits for them, not even the destructor. Loop thread
/// only.
class DetachedThreads {
public:
    explicit DetachedThreads(boost::asio::io_context& loop, unsigned at_most = 8);
    ~DetachedThreads();
    DetachedThreads(const DetachedThreads&) = delete;
    DetachedThreads& operator=(const DetachedThreads&) = delete;

    /// Runs `work` on one of the threads and returns, or throws, what it does. It must own what it uses: when
    /// the caller is cancelled, it goes on. Throws std::system_error when no thread can be started.
    Task<std::string> run(std::function<std::string()> work);

    struct State;

private:
    std::shared_ptr<State> state_;
};

}  // namespace volley::transports
