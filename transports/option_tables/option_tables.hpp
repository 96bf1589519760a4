#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "transports/transport.hpp"

namespace volley::transports {

/// What can be configured for a transport that Bolt knows (TRN-001), whether or not this program can already
/// open its sessions: inventories that mention it stay valid. nullptr for names that mean nothing.
const TransportSpec* find_transport_options(std::string_view name);

/// The names for which find_transport_options answers, sorted.
const std::vector<std::string>& known_transport_names();

// The tables of transports that are not in registry.def; the registry wins when a name is in both.
TransportSpec choria_options();
TransportSpec docker_options();
TransportSpec jail_options();
TransportSpec lxd_options();
TransportSpec podman_options();
TransportSpec winrm_options();

}  // namespace volley::transports
