#pragma once

#include <memory>
#include <string>

#include "transports/ssh/known_hosts/known_hosts.hpp"
#include "transports/ssh/session/session.hpp"
#include "transports/ssh/settings.hpp"
#include "transports/task.hpp"

namespace volley::transports::ssh {

/// Greeting, key exchange and the server's proof of identity (SSH-005, SSH-006). Throws TransportError
/// CONNECT_ERROR or HOST_KEY_ERROR; Refused; Unsupported. No deadline of its own.
Task<void> perform_handshake(std::shared_ptr<Session> session, const Settings& settings,
                             KnownHostsStore& store);

}  // namespace volley::transports::ssh
