#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "transports/runtime.hpp"
#include "transports/ssh/authenticate.hpp"
#include "transports/ssh/gate.hpp"
#include "transports/ssh/jumps.hpp"
#include "transports/ssh/known_hosts.hpp"
#include "transports/ssh/resolver.hpp"
#include "transports/ssh/session.hpp"
#include "transports/ssh/settings.hpp"
#include "transports/ssh/wire.hpp"

namespace volley::transports::ssh {

/// Opens logged-in sessions, directly or through other hosts. One per run; loop thread only.
class Engine {
public:
    explicit Engine(Runtime& runtime);
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    /// A session with `settings`, through `hops` in order (each with its own settings). Waits at most
    /// connect-timeout, not counting the time until it is its turn (Gate); a server that hangs up at once is tried
    /// again within that time. `is_hop`: for targets that wait for it. Throws TransportError, Unsupported, Error
    /// bolt/too-many-files.
    Task<std::shared_ptr<Session>> connect(SharedSettings settings, std::vector<SharedSettings> hops,
                                           bool is_hop = false);

private:
    /// What is being waited for, for the message of a timeout.
    struct Progress {
        const char* stage = "";
        const Gate::Ticket* ticket = nullptr;  // lives as long as the attempt
    };
    Task<std::shared_ptr<Session>> attempt(SharedSettings settings, std::vector<SharedSettings> hops,
                                           std::chrono::milliseconds limit, Gate::Ticket& ticket);
    Task<std::shared_ptr<Session>> log_in(SharedSettings settings, std::vector<SharedSettings> hops,
                                          std::shared_ptr<Progress> progress);
    Task<std::unique_ptr<Wire>> reach(SharedSettings settings, std::vector<SharedSettings> hops,
                                      std::shared_ptr<Progress> progress);
    Task<std::unique_ptr<Wire>> dial_directly(SharedSettings settings, std::shared_ptr<Progress> progress);
    Task<std::unique_ptr<Wire>> tunnel(SharedSettings settings, std::vector<SharedSettings> hops);
    std::shared_ptr<JumpRelay> relay(const std::vector<SharedSettings>& hops);

    Runtime& runtime_;
    Resolver resolver_;
    Gate gate_;
    KnownHostsStore known_hosts_;
    Credentials credentials_;
    std::map<std::string, std::shared_ptr<JumpRelay>> relays_;
};

/// The wire to a command that carries the bytes (ProxyCommand). Throws TransportError CONNECT_ERROR.
std::unique_ptr<Wire> start_proxy_command(boost::asio::io_context& loop, const std::string& command);

}  // namespace volley::transports::ssh
