#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "transports/target_config.hpp"
#include "transports/winrm/http/http_connection.hpp"
#include "transports/winrm/smb/session.hpp"

namespace volley::transports::winrm {

/// How to log in. Negotiate is SPNEGO with Kerberos, for targets without a password.
/// Certificate is that of the TLS connection.
enum class Login : std::uint8_t { Basic, Ntlm, Negotiate, Kerberos, Certificate };

/// A target's options as this transport uses them.
struct Settings {
    std::string label;  ///< the target's name without a password, for messages
    std::string host;
    int port = 0;
    std::string url;                 ///< "https://host:5986/wsman" (WRM-001)
    std::optional<TlsSettings> tls;  ///< absent: plain HTTP, messages are encrypted instead
    std::string user;                ///< may be empty with Kerberos and a certificate
    std::string password;            ///< sensitive
    std::string realm;
    Login login = Login::Ntlm;
    std::chrono::seconds connect_timeout{10};
    std::optional<smb::Login> smb;  ///< file-protocol: smb
};

/// Throws TransportError for a target without the user or password that its options need.
Settings settings_of(const TargetConfig& target);

}  // namespace volley::transports::winrm
