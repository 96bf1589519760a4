#include "transports/winrm/security/channel_binding.hpp"

#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/x509.h>

#include <array>

namespace volley::transports::winrm {

std::string tls_channel_binding(const X509& certificate) {
    // The hash of the certificate's own signature; SHA-256 in place of MD5 and SHA-1, and where it has none.
    auto* mutable_certificate = const_cast<X509*>(&certificate);  // OpenSSL caches what it has read
    int digest = NID_undef;
    if (X509_get_signature_info(mutable_certificate, &digest, nullptr, nullptr, nullptr) != 1)
        digest = NID_undef;
    const EVP_MD* hash = EVP_sha256();
    if (digest != NID_undef && digest != NID_md5 && digest != NID_sha1) {
        const EVP_MD* own = EVP_get_digestbynid(digest);
        if (own != nullptr) hash = own;
    }
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
    unsigned size = 0;
    if (X509_digest(mutable_certificate, hash, bytes.data(), &size) != 1) return {};
    return "tls-server-end-point:" + std::string(reinterpret_cast<const char*>(bytes.data()), size);
}

}  // namespace volley::transports::winrm
