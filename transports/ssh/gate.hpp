#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <string>

#include "transports/task.hpp"

namespace volley::transports::ssh {

/// How many logins may be under way at a time. To one server: what it is likely to bear (MaxStartups), 256 at first,
/// fewer once it has refused some. To all servers together: as many as succeed well within their connect-timeout, 128
/// at first. Both learn: refusals, timeouts and slow logins make them fewer, good ones more again. A login that takes
/// much longer than the others do is its host's own trouble and keeps nobody waiting.
/// Loop thread only.
class Gate {
public:
    using Clock = std::chrono::steady_clock;

    /// A place, given back when destroyed.
    class Ticket;

    explicit Gate(boost::asio::io_context& loop);
    /// Waits for a place, first come, first served. `server`: "host:port". `timeout`: what the login may take once it
    /// has begun. `is_hop`: a jump host, for which targets that are inside wait, so it does not count among all.
    Task<Ticket> enter(std::string server, std::chrono::milliseconds timeout, bool is_hop = false);

    /// The limits now. Of a server that nobody entered: 0.
    int limit_of(const std::string& server) const;
    int limit_of_all() const;

    /// Those at work and those who wait, for one limit.
    struct Line;
    struct Experience;
    struct Place;

private:
    boost::asio::io_context& loop_;
    std::map<std::string, std::shared_ptr<Line>> servers_;
    std::shared_ptr<Line> all_;
    std::shared_ptr<Experience> experience_;
};

class Gate::Ticket {
public:
    explicit Ticket(std::shared_ptr<Place> place) : place_(std::move(place)) {}
    Ticket(Ticket&&) noexcept = default;
    Ticket& operator=(Ticket&&) = delete;

    /// How the login ended. What is not said here (a wrong password, an unknown host) says nothing about load.
    /// succeeded() with the time it took, measured when not given.
    void succeeded();
    void succeeded(Clock::duration took);
    void refused();
    void timed_out();

    /// To be held while a connection request is out. When no answer comes soon, which it never does from a host that is
    /// down, others have a turn meanwhile.
    class Dialing;

private:
    std::shared_ptr<Place> place_;
};

class Gate::Ticket::Dialing {
public:
    Dialing(boost::asio::io_context& loop, const Ticket& ticket);
    ~Dialing();
    Dialing(const Dialing&) = delete;
    Dialing& operator=(const Dialing&) = delete;
    /// There is a connection.
    void answered();

private:
    std::shared_ptr<Place> place_;
    boost::asio::steady_timer timer_;
    Clock::time_point begin_ = Clock::now();
};

}  // namespace volley::transports::ssh
