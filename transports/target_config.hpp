#pragma once

#include <memory>
#include <optional>
#include <string>

#include "support/json/json.hpp"

namespace volley::transports {

/// What a transport needs to reach one target. Made by the inventory, read-only here.
struct TargetConfig {
    std::string name;       ///< as the user calls it; unique in a run
    std::string safe_name;  ///< the same without a password; for messages, logs and file names
    std::string transport;  ///< its name in registry.def
    std::string host;       ///< empty when neither the URI nor the configuration names one
    std::optional<int> port;
    std::optional<std::string> user;      ///< URI before configuration
    std::optional<std::string> password;  ///< sensitive
    /// The section of `transport`: defaults, configuration and inventory merged, validated, paths absolute.
    std::shared_ptr<const Json> options;
    /// Its features say so: commands are PowerShell's, whatever the login shell is (TRN-008).
    bool runs_powershell = false;
};

}  // namespace volley::transports
