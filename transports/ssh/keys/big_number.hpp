#pragma once

#include <openssl/bn.h>

#include <memory>

namespace volley::transports::ssh {

struct FreeNumber {
    void operator()(BIGNUM* number) const noexcept { BN_clear_free(number); }
};
/// A large number of OpenSSL's; wiped when it goes, since most are parts of private keys.
using Bn = std::unique_ptr<BIGNUM, FreeNumber>;

}  // namespace volley::transports::ssh
