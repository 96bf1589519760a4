#pragma once

#include <string>
#include <string_view>

namespace volley {

/// PKCS #7 enveloped data, as hiera-eyaml and Bolt's pkcs7 plugin use it: AES-256-CBC under an RSA key.

/// The content of DER bytes, decrypted with a private key in PEM form. Throws Error kind bolt/pkcs7-error;
/// its message shows neither the key nor the content.
std::string pkcs7_decrypt(std::string_view der, std::string_view private_key);

/// DER bytes that the owner of the private key to `certificate` (PEM) can decrypt.
std::string pkcs7_encrypt(std::string_view content, std::string_view certificate);

struct Pkcs7Keys {
    std::string private_key;  // PEM
    std::string certificate;  // PEM, signed by the key itself, valid for a hundred years
};
/// A new RSA key of `bits` bits.
Pkcs7Keys pkcs7_create_keys(int bits);

}  // namespace volley
