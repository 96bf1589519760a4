#pragma once

#include <memory>
#include <string>

#include "transports/ssh/session/byte_stream.hpp"
#include "transports/ssh/session/session.hpp"
#include "transports/task.hpp"

namespace volley::transports::ssh {

/// Opens a direct-tcpip channel on `session`: the server connects to host:port and passes the bytes on
/// (ProxyJump). The stream keeps the session alive. Throws TransportError CONNECT_ERROR when the server
/// cannot or may not connect, or the session is lost. Cancelled: the opening goes on unattended, for libssh2
/// cannot take it back; until the server has answered, nothing else can be opened on that session.
Task<std::unique_ptr<ByteStream>> open_tunnel(std::shared_ptr<Session> session, std::string host, int port);

}  // namespace volley::transports::ssh
