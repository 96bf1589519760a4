#include "support/crypto/digest.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <new>

#include "support/text/hex_digit.hpp"

namespace volley {
namespace {

std::string bytes_of_digest(const std::array<unsigned char, EVP_MAX_MD_SIZE>& bytes, unsigned size) {
    return {reinterpret_cast<const char*>(bytes.data()), size};
}

}  // namespace

std::string hex_text(std::string_view bytes) {
    std::string out;
    out.reserve(2 * bytes.size());
    for (const char byte : bytes) append_hex_byte(out, static_cast<unsigned char>(byte));
    return out;
}

std::optional<std::string> digest(std::string_view algorithm, std::string_view bytes) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> found{};
    unsigned size = 0;
    const EVP_MD* method = ::EVP_get_digestbyname(std::string(algorithm).c_str());
    if (!method || ::EVP_Digest(bytes.data(), bytes.size(), found.data(), &size, method, nullptr) != 1)
        return std::nullopt;
    return bytes_of_digest(found, size);
}

std::optional<std::string> digest_hex(std::string_view algorithm, std::string_view bytes) {
    const auto found = digest(algorithm, bytes);
    return found ? std::optional(hex_text(*found)) : std::nullopt;
}

std::string sha256(std::string_view bytes) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> found{};
    unsigned size = 0;
    // It is part of every OpenSSL, whatever the policy: only memory can be missing.
    if (::EVP_Digest(bytes.data(), bytes.size(), found.data(), &size, ::EVP_sha256(), nullptr) != 1)
        throw std::bad_alloc();
    return bytes_of_digest(found, size);
}

std::string sha256_hex(std::string_view bytes) { return hex_text(sha256(bytes)); }

std::string hmac_sha256(std::string_view key, std::string_view bytes) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> found{};
    unsigned size = 0;
    if (!::HMAC(::EVP_sha256(), key.data(), static_cast<int>(key.size()),
                reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), found.data(), &size))
        throw std::bad_alloc();
    return bytes_of_digest(found, size);
}

}  // namespace volley
