#include "transports/ssh/keys/private_key.hpp"

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>

#include <algorithm>
#include <array>
#include <utility>

#include "transports/ssh/keys/big_number.hpp"
#include "transports/ssh/keys/wire_encoding.hpp"

namespace volley::transports::ssh {
namespace {

struct Curve {
    std::string_view openssl;  // OpenSSL's name for the group
    std::string_view ssh;      // RFC 5656's identifier
    std::string_view algorithm;
    const EVP_MD* (*digest)();
    int field_bytes;
};
constexpr Curve curves[] = {
    {"prime256v1", "nistp256", "ecdsa-sha2-nistp256", EVP_sha256, 32},
    {"secp384r1", "nistp384", "ecdsa-sha2-nistp384", EVP_sha384, 48},
    {"secp521r1", "nistp521", "ecdsa-sha2-nistp521", EVP_sha512, 66},
};

struct RsaAlgorithm {
    std::string_view name;
    const EVP_MD* (*digest)();
};
constexpr RsaAlgorithm rsa_algorithms[] = {
    {"rsa-sha2-512", EVP_sha512}, {"rsa-sha2-256", EVP_sha256}, {"ssh-rsa", EVP_sha1}};

Bn key_private_number(const EVP_PKEY* key, const char* parameter) {
    BIGNUM* value = nullptr;
    EVP_PKEY_get_bn_param(key, parameter, &value);
    return Bn(value);
}

std::string big_endian(const BIGNUM* value, int size) {
    std::string bytes(static_cast<std::size_t>(size), '\0');
    BN_bn2binpad(value, reinterpret_cast<unsigned char*>(bytes.data()), size);
    return bytes;
}

/// What OpenSSL signs with this key and digest (nullptr: the algorithm's own).
std::string evp_sign(EVP_PKEY* key, const EVP_MD* digest, std::string_view data) {
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    const auto* bytes = reinterpret_cast<const unsigned char*>(data.data());
    std::string signature(static_cast<std::size_t>(EVP_PKEY_get_size(key)), '\0');
    std::size_t size = signature.size();
    if (EVP_DigestSignInit(context.get(), nullptr, digest, nullptr, key) != 1 ||
        EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size, bytes,
                       data.size()) != 1) {
        ERR_clear_error();
        throw KeyError(KeyFault::Damaged, "OpenSSL could not sign with this private key; is it damaged?");
    }
    signature.resize(size);
    return signature;
}

std::string signature_blob(std::string_view algorithm, std::string_view body) {
    std::string blob;
    put_string(blob, algorithm);
    put_string(blob, body);
    return blob;
}

[[noreturn]] void refuse_algorithm(std::string_view algorithm, const PublicKey& key) {
    throw KeyError(KeyFault::Unsupported, "a key of type " + key.type + " cannot make a signature of type " +
                                              std::string(algorithm));
}

class Ed25519Key final : public PrivateKey {
public:
    Ed25519Key(PkeyPtr key, std::string comment) : key_(std::move(key)) {
        std::array<unsigned char, 32> raw{};
        std::size_t size = raw.size();
        EVP_PKEY_get_raw_public_key(key_.get(), raw.data(), &size);
        public_.type = "ssh-ed25519";
        public_.comment = std::move(comment);
        put_string(public_.blob, public_.type);
        put_string(public_.blob, std::string(raw.begin(), raw.end()));
    }
    const PublicKey& public_key() const noexcept override { return public_; }
    std::vector<std::string_view> algorithms() const override { return {"ssh-ed25519"}; }
    std::string sign(std::string_view data, std::string_view algorithm) const override {
        if (algorithm != public_.type) refuse_algorithm(algorithm, public_);
        return signature_blob(algorithm, evp_sign(key_.get(), nullptr, data));
    }

private:
    PkeyPtr key_;
    PublicKey public_;
};

class EcdsaKey final : public PrivateKey {
public:
    EcdsaKey(PkeyPtr key, const Curve& curve, std::string comment) : key_(std::move(key)), curve_(curve) {
        const Bn x = key_private_number(key_.get(), OSSL_PKEY_PARAM_EC_PUB_X);
        const Bn y = key_private_number(key_.get(), OSSL_PKEY_PARAM_EC_PUB_Y);
        if (!x || !y) throw KeyError(KeyFault::Damaged, "the private key has no public point");
        const std::string point =
            '\x04' + big_endian(x.get(), curve.field_bytes) + big_endian(y.get(), curve.field_bytes);
        public_.type = curve.algorithm;
        public_.comment = std::move(comment);
        put_string(public_.blob, public_.type);
        put_string(public_.blob, curve.ssh);
        put_string(public_.blob, point);
    }
    const PublicKey& public_key() const noexcept override { return public_; }
    std::vector<std::string_view> algorithms() const override { return {curve_.algorithm}; }
    std::string sign(std::string_view data, std::string_view algorithm) const override {
        if (algorithm != curve_.algorithm) refuse_algorithm(algorithm, public_);
        const std::string der = evp_sign(key_.get(), curve_.digest(), data);
        const auto* at = reinterpret_cast<const unsigned char*>(der.data());
        const std::unique_ptr<ECDSA_SIG, decltype(&ECDSA_SIG_free)> pair(
            d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size())), ECDSA_SIG_free);
        std::string body;
        put_mpint(body, big_endian(ECDSA_SIG_get0_r(pair.get()), curve_.field_bytes));
        put_mpint(body, big_endian(ECDSA_SIG_get0_s(pair.get()), curve_.field_bytes));
        return signature_blob(algorithm, body);
    }

private:
    PkeyPtr key_;
    const Curve& curve_;
    PublicKey public_;
};

class RsaKey final : public PrivateKey {
public:
    RsaKey(PkeyPtr key, std::string comment) : key_(std::move(key)) {
        public_.type = "ssh-rsa";
        public_.comment = std::move(comment);
        put_string(public_.blob, public_.type);
        for (const char* parameter : {OSSL_PKEY_PARAM_RSA_E, OSSL_PKEY_PARAM_RSA_N}) {
            const Bn value = key_private_number(key_.get(), parameter);
            if (!value) throw KeyError(KeyFault::Damaged, "the private key has no modulus or exponent");
            put_mpint(public_.blob, big_endian(value.get(), BN_num_bytes(value.get())));
        }
    }
    const PublicKey& public_key() const noexcept override { return public_; }
    std::vector<std::string_view> algorithms() const override {
        std::vector<std::string_view> names;
        for (const RsaAlgorithm& each : rsa_algorithms) names.push_back(each.name);
        return names;
    }
    std::string sign(std::string_view data, std::string_view algorithm) const override {
        const auto* known = std::find_if(std::begin(rsa_algorithms), std::end(rsa_algorithms),
                                         [&](const RsaAlgorithm& each) { return each.name == algorithm; });
        if (known == std::end(rsa_algorithms)) refuse_algorithm(algorithm, public_);
        return signature_blob(algorithm, evp_sign(key_.get(), known->digest(), data));
    }

private:
    PkeyPtr key_;
    PublicKey public_;
};

const Curve* curve_of(const EVP_PKEY* key) {
    std::array<char, 64> group{};
    std::size_t size = 0;
    if (EVP_PKEY_get_utf8_string_param(key, OSSL_PKEY_PARAM_GROUP_NAME, group.data(), group.size(), &size) !=
        1) {
        ERR_clear_error();
        return nullptr;
    }
    for (const Curve& curve : curves) {
        if (curve.openssl == std::string_view(group.data(), size)) return &curve;
    }
    return nullptr;
}

}  // namespace

std::shared_ptr<const PrivateKey> make_private_key(PkeyPtr key, std::string comment, std::string_view name) {
    static constexpr int smallest_rsa = 1024;  // OpenSSH's limit as well
    switch (EVP_PKEY_get_base_id(key.get())) {
        case EVP_PKEY_ED25519:
            return std::make_shared<Ed25519Key>(std::move(key), std::move(comment));
        case EVP_PKEY_EC:
            if (const Curve* curve = curve_of(key.get())) {
                return std::make_shared<EcdsaKey>(std::move(key), *curve, std::move(comment));
            }
            break;
        case EVP_PKEY_RSA:
            if (EVP_PKEY_get_bits(key.get()) < smallest_rsa) {
                throw KeyError(KeyFault::Unsupported,
                               "the RSA key " + std::string(name) +
                                   " is shorter than 1024 bits; servers do not accept such keys");
            }
            return std::make_shared<RsaKey>(std::move(key), std::move(comment));
        default:
            break;
    }
    throw KeyError(KeyFault::Unsupported, "the private key " + std::string(name) +
                                              " has a type that Volley does not support; create an ed25519, "
                                              "ecdsa or RSA key");
}

}  // namespace volley::transports::ssh
