#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// The three messages of an NTLM login as bytes (MS-NLMP 2.2.1).
namespace volley::transports::winrm::ntlm {

/// Unicode, the target's name, signing, sealing, NTLM, extended session security, target information,
/// version, a key of 128 bits chosen by the client.
inline constexpr std::uint32_t wanted_flags = 0xE2888237;

struct Challenge {
    std::uint32_t flags = 0;
    std::string server_challenge;  ///< 8 bytes
    std::string pairs;             ///< of the target information, without its end
    std::string timestamp;         ///< 8 bytes, or empty
};

struct Authenticate {
    std::uint32_t flags = 0;
    std::string lm_response;
    std::string nt_response;
    std::string domain;  ///< UTF-16LE
    std::string user;
    std::string session_key;
};

std::string negotiate_message();
/// Throws SecurityError: not a challenge, or one without what signing and sealing need.
Challenge parse_challenge(std::string_view message);
/// The server's pairs and the client's own. `binding`: 16 bytes, or empty.
std::string target_info(const Challenge& challenge, std::string_view binding, std::string_view service);
/// With zeros for the integrity code, which set_integrity_code fills in.
std::string authenticate_message(const Authenticate& content);
void set_integrity_code(std::string& message, std::string_view code);

}  // namespace volley::transports::winrm::ntlm
