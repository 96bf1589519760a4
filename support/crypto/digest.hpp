#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct evp_md_ctx_st;  // EVP_MD_CTX of OpenSSL

namespace volley {

/// Two digits a byte, in small letters.
std::string hex_text(std::string_view bytes);

/// The bytes of a digest. `algorithm` is OpenSSL's name: "MD5", "SHA1", "SHA256" ...; nullopt when OpenSSL
/// does not have it (which may be the machine's policy).
std::optional<std::string> digest(std::string_view algorithm, std::string_view bytes);
/// The same in hexadecimal digits.
std::optional<std::string> digest_hex(std::string_view algorithm, std::string_view bytes);

/// The digests of a file in hexadecimal digits, all from one reading of it, which is never in memory as a
/// whole; "" for an algorithm that OpenSSL does not have. Throws Error bolt/file-error, which calls it
/// `what`.
std::vector<std::string> file_digests(const std::filesystem::path& path, std::string_view what,
                                      const std::vector<std::string>& algorithms);

/// The 32 bytes of SHA-256.
std::string sha256(std::string_view bytes);
std::string sha256_hex(std::string_view bytes);
/// The 32 bytes of HMAC-SHA256.
std::string hmac_sha256(std::string_view key, std::string_view bytes);

/// HMAC-SHA256 (RFC 2104) of many texts with one key, which is digested once. Copies share what is ready. Any
/// thread.
class HmacSha256 {
public:
    explicit HmacSha256(std::string_view key);
    /// The 32 bytes.
    std::string of(std::string_view bytes) const;

private:
    std::shared_ptr<const evp_md_ctx_st> inner_;
    std::shared_ptr<const evp_md_ctx_st> outer_;
};

}  // namespace volley
