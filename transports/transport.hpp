#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/json.hpp"
#include "transports/connection.hpp"
#include "transports/options.hpp"
#include "transports/runtime.hpp"

namespace volley::transports {

/// What a name such as "ssh" stands for: known without a running loop, so that configuration can be checked.
struct TransportSpec {
    std::string_view name;
    OptionTable options;
    bool keeps_unknown_options = false;  ///< remote (TRN-004)
    /// Rules between options (TRN-031 ...); returns one sentence for each broken one.
    std::vector<std::string> (*check)(const Json& options) = nullptr;
};

/// Opens sessions. One per process and kind, made by make_transport; used from the loop thread only.
class Transport {
public:
    virtual ~Transport() = default;
    /// Throws TransportError: connect_error with CONNECT_ERROR, AUTH_ERROR or HOST_KEY_ERROR. Every wait in it
    /// has a deadline (connect-timeout).
    virtual Task<std::unique_ptr<Connection>> connect(TargetConfig target) = 0;
};

/// Every transport of registry.def, in that order. Static data.
std::span<const TransportSpec> transport_specs();
/// nullptr when there is no such transport.
const TransportSpec* find_transport(std::string_view name);
/// Throws Error bolt/unknown-transport; for "remote" too, which has no sessions of its own.
std::unique_ptr<Transport> make_transport(std::string_view name, Runtime& runtime);

}  // namespace volley::transports
