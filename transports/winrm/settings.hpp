#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "transports/target_config.hpp"
#include "transports/winrm/http/http_connection.hpp"

namespace volley::transports::winrm {

/// A target's options as this transport uses them.
struct Settings {
    std::string label;  ///< the target's name without a password, for messages
    std::string host;
    int port = 0;
    std::string url;                 ///< "https://host:5986/wsman" (WRM-001)
    std::optional<TlsSettings> tls;  ///< absent: plain HTTP, messages are encrypted instead
    std::string user;
    std::string password;  ///< sensitive
    bool basic = false;
    std::chrono::seconds connect_timeout{10};
};

/// Throws TransportError for a target without a host, user or password, and for a realm.
Settings settings_of(const TargetConfig& target);

}  // namespace volley::transports::winrm
