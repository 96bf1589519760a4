#include "inventory/plugins/json_web_token.hpp"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>

#include "support/error.hpp"
#include "support/text.hpp"

namespace volley::inventory {
namespace {

struct TokenKeyDone {
    void operator()(BIO* bio) const { BIO_free_all(bio); }
    void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
using TokenKey = std::unique_ptr<EVP_PKEY, TokenKeyDone>;

/// Without a password there is nobody to ask for one: an encrypted key is refused.
int no_token_password(char*, int, int, void*) { return -1; }

TokenKey read_token_key(const std::string& pem) {
    const std::unique_ptr<BIO, TokenKeyDone> bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
    TokenKey key(bio ? PEM_read_bio_PrivateKey(bio.get(), nullptr, no_token_password, nullptr) : nullptr);
    if (!key || EVP_PKEY_base_id(key.get()) != EVP_PKEY_RSA)
        throw Error("bolt/validation-error",
                    "the private_key is not an RSA key in PEM form without a password");
    return key;
}

std::string base64_for_url(std::string_view bytes) {
    std::string text = base64_encode(bytes);
    std::ranges::replace(text, '+', '-');
    std::ranges::replace(text, '/', '_');
    text.erase(text.find_last_not_of('=') + 1);
    return text;
}

std::string sign_rs256(std::string_view text, const TokenKey& key) {
    const std::unique_ptr<EVP_MD_CTX, TokenKeyDone> context(EVP_MD_CTX_new());
    const auto* const bytes = reinterpret_cast<const unsigned char*>(text.data());
    std::size_t size = 0;
    std::string signature;
    const bool sized = context &&
                       EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key.get()) == 1 &&
                       EVP_DigestSign(context.get(), nullptr, &size, bytes, text.size()) == 1;
    signature.resize(size);
    auto* const out = reinterpret_cast<unsigned char*>(signature.data());
    if (!sized || EVP_DigestSign(context.get(), out, &size, bytes, text.size()) != 1)
        throw Error("bolt/validation-error", "the private_key cannot sign");
    signature.resize(size);
    return signature;
}

}  // namespace

std::string signed_web_token(const Json& claims, const std::string& private_key) {
    const TokenKey key = read_token_key(private_key);
    const std::string header = Json{{"alg", "RS256"}, {"typ", "JWT"}}.dump();
    const std::string text = base64_for_url(header) + "." + base64_for_url(claims.dump());
    return text + "." + base64_for_url(sign_rs256(text, key));
}

}  // namespace volley::inventory
