#pragma once

#include <openssl/evp.h>

#include <memory>
#include <string>
#include <string_view>

#include "transports/ssh/keys/keys.hpp"

namespace volley::transports::ssh {

struct FreePkey {
    void operator()(EVP_PKEY* key) const noexcept { EVP_PKEY_free(key); }
};
using PkeyPtr = std::unique_ptr<EVP_PKEY, FreePkey>;

/// A key of OpenSSL's as ours; ed25519, ecdsa on the three NIST curves, RSA of at least 1024 bits. `name` is
/// for the message of the KeyError (Unsupported) that everything else throws.
std::shared_ptr<const PrivateKey> make_private_key(PkeyPtr key, std::string comment, std::string_view name);

}  // namespace volley::transports::ssh
