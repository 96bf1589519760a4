#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <memory>
#include <string>
#include <vector>

#include "transports/net/detached_threads.hpp"
#include "transports/task.hpp"

namespace volley::transports {

using Endpoints = std::vector<boost::asio::ip::tcp::endpoint>;

/// Names to addresses, off the loop. getaddrinfo blocks for as long as a broken name server likes, so it has
/// threads of its own, up to `threads` at a time, started when needed; nobody waits for them, not even the
/// destructor. Each name is asked for once per run. Loop thread only.
class Resolver {
public:
    enum class Family { Any, Inet, Inet6 };

    explicit Resolver(boost::asio::io_context& loop, unsigned threads = 16,
                      DetachedThreads::StartThread start_thread = {});
    ~Resolver();
    Resolver(const Resolver&) = delete;
    Resolver& operator=(const Resolver&) = delete;

    /// In the order in which to try them: families take turns, beginning with the one that the system prefers
    /// (RFC 8305). An address is its own answer, without a thread. Throws TransportError CONNECT_ERROR.
    Task<Endpoints> resolve(std::string host, int port, Family family = Family::Any);

    struct State;

private:
    std::shared_ptr<State> state_;
    DetachedThreads threads_;
};

}  // namespace volley::transports
