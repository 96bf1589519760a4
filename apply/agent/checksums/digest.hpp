#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace volley::agent {

/// A checksum that is being made of bytes as they come.
class Digest {
public:
    virtual ~Digest() = default;
    virtual void add(std::string_view bytes) = 0;
    /// In hexadecimal. Once only.
    virtual std::string finish() = 0;
};

/// md5, sha1, sha224, sha256, sha384, sha512, each also with "lite" after it (of the first 512 bytes only);
/// nullptr for any other name.
std::unique_ptr<Digest> make_digest(std::string_view algorithm);

std::string digest_of(std::string_view algorithm, std::string_view bytes);

}  // namespace volley::agent
