#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <string>

#include "transports/task.hpp"

namespace volley::transports::ssh {

/// Limits how many logins run at the same time. Per server: what it is likely to accept (MaxStartups), 256 at
/// first, fewer after it has refused some. For all servers together: as many as succeed well within their
/// connect-timeout, 128 at first. Both limits adapt: refusals, timeouts and slow logins lower them, quick
/// logins raise them again. A login that takes much longer than the others does no longer count, so that a
/// host that hangs blocks nobody. Loop thread only.
class LoginLimiter {
public:
    using Clock = std::chrono::steady_clock;

    /// The right to log in, released when destroyed.
    class Permit;

    explicit LoginLimiter(boost::asio::io_context& loop);
    /// Waits for a permit, first come, first served. `server`: "host:port". `timeout`: how long the login may
    /// take after it has started. `is_hop`: a jump host, which targets with a permit wait for, so it is
    /// outside the total.
    Task<Permit> acquire(std::string server, std::chrono::milliseconds timeout, bool is_hop = false);

    /// The limits now. Of a server without a login so far: 0.
    int server_limit(const std::string& server) const;
    int total_limit() const;

    /// One limit, with the logins that run under it and those that wait.
    struct Limit;
    struct Statistics;
    struct Admission;

private:
    boost::asio::io_context& loop_;
    std::map<std::string, std::shared_ptr<Limit>> servers_;
    std::shared_ptr<Limit> total_;
    std::shared_ptr<Statistics> statistics_;
};

class LoginLimiter::Permit {
public:
    explicit Permit(std::shared_ptr<Admission> admission) : admission_(std::move(admission)) {}
    Permit(Permit&&) noexcept = default;
    Permit& operator=(Permit&&) = delete;

    /// How the login ended. Other ends (a wrong password, an unknown host) mean nothing for the load.
    /// succeeded() with the time it took, measured when not given.
    void succeeded();
    void succeeded(Clock::duration took);
    void refused();
    void timed_out();

    /// To be held during the TCP connect. Without an answer soon, as from a host that is down, the login does
    /// not count until the answer comes. A loop that has no time to look for answers does not make it so.
    class Connecting;

private:
    std::shared_ptr<Admission> admission_;
};

class LoginLimiter::Permit::Connecting {
public:
    Connecting(boost::asio::io_context& loop, const Permit& permit);
    ~Connecting();
    Connecting(const Connecting&) = delete;
    Connecting& operator=(const Connecting&) = delete;
    /// The connection is established.
    void answered();

private:
    std::shared_ptr<Admission> admission_;
    std::shared_ptr<boost::asio::steady_timer> timer_;
    Clock::time_point begin_ = Clock::now();
};

}  // namespace volley::transports::ssh
