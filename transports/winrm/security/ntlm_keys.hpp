#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "transports/winrm/security/legacy_ciphers.hpp"
#include "transports/winrm/security/security_context.hpp"

/// The cryptography of NTLMv2 (MS-NLMP 3.3.2, 3.4).
namespace volley::transports::winrm::ntlm {

/// Throw SecurityError where OpenSSL is configured not to have MD5.
std::string md5(std::string_view bytes);
std::string hmac_md5(std::string_view key, std::string_view bytes);
std::string little_endian(std::uint64_t number, unsigned size);

/// What a login is proved with (NTOWFv2).
std::string account_key(const Account& account);

/// One direction of a session: its keys and the number of its next message.
class Direction {
public:
    /// `name`: "client-to-server" or "server-to-client".
    Direction(std::string_view session_key, std::string_view name);
    SealedMessage seal(std::string_view clear);
    /// Throws SecurityError when the signature is wrong.
    std::string open(const SealedMessage& message);

private:
    std::string signature(std::string_view clear);

    std::string sign_key_;
    Rc4 cipher_;
    std::uint32_t next_ = 0;
};

}  // namespace volley::transports::winrm::ntlm
