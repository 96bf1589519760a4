#pragma once

#include <boost/asio/io_context.hpp>
#include <map>
#include <memory>
#include <string>

#include "transports/task.hpp"

namespace volley::transports::ssh {

/// Keeps the number of connections to one server that have not logged in yet within what the server is likely
/// to bear (MaxStartups): 256 at first, fewer once it has refused some. Loop thread only.
class Gate {
public:
    /// A place at one server, given back when destroyed.
    class Ticket;

    explicit Gate(boost::asio::io_context& loop);
    /// Waits for a place, first come, first served. `server`: "host:port".
    Task<Ticket> enter(std::string server);
    /// The server has refused a connection: fewer at a time from now on, but at least 4.
    void narrow(const std::string& server);

    struct Queue;

private:
    boost::asio::io_context& loop_;
    std::map<std::string, std::shared_ptr<Queue>> queues_;
};

class Gate::Ticket {
public:
    explicit Ticket(std::shared_ptr<Queue> queue) : queue_(std::move(queue)) {}
    Ticket(Ticket&&) noexcept = default;
    Ticket& operator=(Ticket&&) = delete;
    ~Ticket();

private:
    std::shared_ptr<Queue> queue_;
};

}  // namespace volley::transports::ssh
