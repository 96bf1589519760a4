#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace volley {

/// Two digits a byte, in small letters.
std::string hex_text(std::string_view bytes);

/// The bytes of a digest. `algorithm` is OpenSSL's name: "MD5", "SHA1", "SHA256" ...; nullopt when OpenSSL
/// does not have it (which may be the machine's policy).
std::optional<std::string> digest(std::string_view algorithm, std::string_view bytes);
/// The same in hexadecimal digits.
std::optional<std::string> digest_hex(std::string_view algorithm, std::string_view bytes);

/// The 32 bytes of SHA-256.
std::string sha256(std::string_view bytes);
std::string sha256_hex(std::string_view bytes);
/// The 32 bytes of HMAC-SHA256.
std::string hmac_sha256(std::string_view key, std::string_view bytes);

}  // namespace volley
