#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace volley::transports::ssh {

/// A cipher that may protect OpenSSH's private key format.
struct KeyCipher {
    std::string_view name;  ///< as in the file, "aes256-ctr"
    std::size_t key_bytes;
    std::size_t iv_bytes;
    std::size_t block_bytes;
    std::size_t tag_bytes;     ///< after the encrypted section; 0: no authentication
    const char* openssl_name;  ///< nullptr: chacha20-poly1305@openssh.com, put together here
};

/// nullptr when there is no such cipher.
const KeyCipher* find_key_cipher(std::string_view name) noexcept;

/// Decrypts `text`; `material` holds the key, then the IV. nullopt when the tag shows that key or text is
/// wrong. Throws std::runtime_error when OpenSSL cannot do the cipher. The caller wipes the result.
std::optional<std::string> decrypt_key(const KeyCipher& cipher, std::string_view material,
                                       std::string_view text, std::string_view tag);

}  // namespace volley::transports::ssh
