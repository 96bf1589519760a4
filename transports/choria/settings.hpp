#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "transports/target_config.hpp"

namespace volley::transports::choria {

/// How a client reaches the brokers and who it is there: a target's options over the client's configuration
/// file (TRN-029). Targets whose settings are equal share one connection.
struct Settings {
    std::vector<std::string> brokers;  ///< host:port
    std::string identity;              ///< of this machine, in requests
    std::string certname;              ///< the caller is "choria=" and this
    std::string collective;
    std::string ca;           ///< file
    std::string certificate;  ///< file
    std::string key;          ///< file
    std::string user;         ///< for brokers that want one; may be empty
    std::string password;     ///< sensitive
    std::chrono::seconds broker_timeout{30};
    bool operator==(const Settings&) const = default;
};

/// Reads what a target's options and the configuration file that they name, or the client's own one, say. The
/// file may be missing when the options name brokers and the three files. Throws TransportError with
/// bolt/choria-config-not-found and bolt/choria-config-failed (ERR-057).
Settings read_settings(const TargetConfig& target);

/// `key = value` lines of a client's configuration, the last one of a key; comments begin with '#'. Throws
/// TransportError bolt/choria-config-failed with file and line for what is neither.
class ClientConfig {
public:
    ClientConfig() = default;
    ClientConfig(std::string_view text, const std::string& file);
    /// Empty when it is not set.
    std::string get(std::string_view key) const;

private:
    std::vector<std::pair<std::string, std::string>> values_;
};

}  // namespace volley::transports::choria
