#pragma once

#include <memory>
#include <string>

#include "transports/powershell.hpp"
#include "transports/winrm/channel.hpp"

namespace volley::transports::winrm {

/// Logs in and returns the connection to one target. Throws TransportError; the time is connect-timeout.
Task<std::unique_ptr<Connection>> connect_winrm(std::shared_ptr<Network> network, const TargetConfig& target);

}  // namespace volley::transports::winrm
