#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace volley::transports::ssh {

/// OpenBSD's bcrypt_pbkdf: `size` bytes of key material from a passphrase; what encrypted OpenSSH keys use.
/// About 5 ms of CPU a round. Any thread. The caller wipes the result. Throws std::invalid_argument when the
/// passphrase, the salt, `size` or `rounds` is 0, or `size` is above 1024.
std::string bcrypt_pbkdf(std::string_view passphrase, std::string_view salt, std::uint32_t rounds,
                         std::size_t size);

}  // namespace volley::transports::ssh
