#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "transports/net/resolver.hpp"
#include "transports/runtime.hpp"
#include "transports/ssh/known_hosts/known_hosts.hpp"
#include "transports/ssh/login/authenticate.hpp"
#include "transports/ssh/login/jump_host.hpp"
#include "transports/ssh/login/login_limiter.hpp"
#include "transports/ssh/session/byte_stream.hpp"
#include "transports/ssh/session/session.hpp"
#include "transports/ssh/settings.hpp"

namespace volley::transports::ssh {

/// Opens logged-in sessions, directly or through other hosts. One per run; loop thread only.
class SessionFactory {
public:
    explicit SessionFactory(Runtime& runtime);
    ~SessionFactory();
    SessionFactory(const SessionFactory&) = delete;
    SessionFactory& operator=(const SessionFactory&) = delete;

    /// A session with `settings`, through `hops` in order (each with its own settings). Waits at most
    /// connect-timeout, not counting the time until it is its turn (LoginLimiter); a server that hangs up at
    /// once is tried again within that time. `is_hop`: for targets that wait for it. Throws TransportError,
    /// Unsupported, Error bolt/too-many-files.
    Task<std::shared_ptr<Session>> connect(SharedSettings settings, std::vector<SharedSettings> hops,
                                           bool is_hop = false);

private:
    /// What is being waited for, for the message of a timeout.
    struct Progress {
        const char* stage = "";
        const LoginLimiter::Permit* permit = nullptr;  // lives as long as the attempt
        ConnectionFacts facts = {};
    };
    Task<std::shared_ptr<Session>> attempt(SharedSettings settings, std::vector<SharedSettings> hops,
                                           std::chrono::milliseconds limit, LoginLimiter::Permit& permit);
    Task<std::shared_ptr<Session>> log_in(SharedSettings settings, std::vector<SharedSettings> hops,
                                          std::shared_ptr<Progress> progress);
    Task<void> log_in_at(std::shared_ptr<Session> session, SharedSettings settings);
    Task<std::unique_ptr<ByteStream>> open_stream(SharedSettings settings, std::vector<SharedSettings> hops,
                                                  std::shared_ptr<Progress> progress);
    Task<std::unique_ptr<ByteStream>> connect_directly(SharedSettings settings,
                                                       std::shared_ptr<Progress> progress);
    Task<std::unique_ptr<ByteStream>> tunnel(SharedSettings settings, std::vector<SharedSettings> hops);
    std::shared_ptr<JumpHostSessions> jump_host(const std::vector<SharedSettings>& hops);

    Runtime& runtime_;
    Resolver resolver_;
    LoginLimiter login_limiter_;
    KnownHostsStore known_hosts_;
    Credentials credentials_;
    std::map<std::string, std::shared_ptr<JumpHostSessions>> jump_hosts_;
};

/// The stream to a command that carries the bytes (ProxyCommand). Throws TransportError CONNECT_ERROR.
std::unique_ptr<ByteStream> start_proxy_command(boost::asio::io_context& loop, const std::string& command);

}  // namespace volley::transports::ssh
