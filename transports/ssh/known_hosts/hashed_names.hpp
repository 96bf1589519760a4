#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace volley::transports::ssh {

using Sha1State = std::array<std::uint32_t, 5>;

/// A name to be looked for among hashed ones: its SHA-1 message blocks, made once for all of them.
class NameToHash {
public:
    explicit NameToHash(std::string_view name);

private:
    friend class HashedName;
    std::string blocks_;  // padded as the message that follows HMAC's inner key block
};

/// One `|1|salt|hash` field of known_hosts: HMAC-SHA1 of the host's name with a salt as the key. The key's
/// share of the HMAC is computed when the line is read, so a comparison costs two SHA-1 blocks (about 0.2
/// us).
class HashedName {
public:
    /// nullopt when the field is malformed.
    static std::optional<HashedName> parse(std::string_view field);
    bool matches(const NameToHash& name) const noexcept;

private:
    Sha1State inner_{};
    Sha1State outer_{};
    Sha1State digest_{};
};

/// The field for `name`, with a salt of 20 random bytes.
std::string hash_name(std::string_view name);

}  // namespace volley::transports::ssh
