#pragma once

#include <memory>

#include "transports/choria/bus.hpp"
#include "transports/connection.hpp"

namespace volley::transports::choria {

/// Asks the node which agents it has and which system it is, and returns a connection to them (CHO-001).
/// Throws TransportError: what Bus throws, and bolt/choria-agent-not-available when the node does not answer.
Task<std::unique_ptr<Connection>> connect_choria(std::shared_ptr<Bus> bus, TargetConfig target);

/// `version` ("1.2.1") is at least `least`; false for what is not a version.
bool is_version_at_least(std::string_view version, std::string_view least);

}  // namespace volley::transports::choria
