#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <vector>

#include "transports/task.hpp"

namespace volley::transports {

/// A TCP connection to the first of `endpoints` that answers: each next one is tried when the one before has
/// failed or 250 ms have passed (RFC 8305), without giving up the earlier ones. TCP_NODELAY is set. Throws
/// boost::system::system_error with the first endpoint's error; Error bolt/too-many-files when no descriptor
/// is left (SSH-016). Cancelled: all attempts end.
Task<boost::asio::ip::tcp::socket> tcp_connect(boost::asio::io_context& loop,
                                               std::vector<boost::asio::ip::tcp::endpoint> endpoints);

}  // namespace volley::transports
