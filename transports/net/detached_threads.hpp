#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>

#include "transports/task.hpp"

namespace volley::transports {

/// Threads for calls that block for as long as another machine likes, such as those of a name server or of a
/// Kerberos library that asks a KDC. They are started when needed; nobody waits for them, not even the
/// destructor. Loop thread only.
class DetachedThreads {
public:
    /// Runs a function on a thread that nobody waits for. Throws std::system_error when none can start.
    using StartThread = std::function<void(std::function<void()>)>;

    explicit DetachedThreads(boost::asio::io_context& loop, unsigned at_most = 8,
                             StartThread start_thread = {});
    ~DetachedThreads();
    DetachedThreads(const DetachedThreads&) = delete;
    DetachedThreads& operator=(const DetachedThreads&) = delete;

    /// Runs `work` on one of the threads, and on the loop what it returns, unless this object is gone by
    /// then. It must own what it uses, and throw nothing. Throws std::system_error when no thread can be
    /// started.
    using Work = std::function<std::function<void()>()>;
    void post(Work work);

    /// Runs `work` on one of the threads and returns, or throws, what it does. It must own what it uses: when
    /// the caller is cancelled, it goes on. Throws std::system_error when no thread can be started.
    Task<std::string> run(std::function<std::string()> work);

    struct State;

private:
    std::shared_ptr<State> state_;
};

}  // namespace volley::transports
