#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace volley::transports::winrm {

/// MD4 and RC4 of NTLM. OpenSSL 3 has them in its legacy provider only, which must be configured, and is
/// missing from smaller installations. Neither is secure: NTLM over plain HTTP is only as good as they are.

/// The digest of 16 bytes (RFC 1320).
std::string md4(std::string_view bytes);

/// A stream cipher: each call continues where the last one ended.
class Rc4 {
public:
    /// `key`: 1 to 256 bytes.
    explicit Rc4(std::string_view key) noexcept;
    /// Encrypts or decrypts.
    std::string apply(std::string_view bytes);

private:
    std::array<std::uint8_t, 256> state_;
    std::uint8_t first_ = 0;
    std::uint8_t second_ = 0;
};

}  // namespace volley::transports::winrm
