#include "transports/ssh/keys/openssh_format.hpp"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/param_build.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "support/text.hpp"
#include "transports/ssh/keys/bcrypt_pbkdf.hpp"
#include "transports/ssh/keys/big_number.hpp"
#include "transports/ssh/keys/key_cipher.hpp"
#include "transports/ssh/keys/private_key.hpp"
#include "transports/ssh/keys/wire_encoding.hpp"

namespace volley::transports::ssh {
namespace {

constexpr std::string_view begin_line = "-----BEGIN OPENSSH PRIVATE KEY-----";
constexpr std::string_view end_line = "-----END OPENSSH PRIVATE KEY-----";
constexpr std::string_view magic{"openssh-key-v1\0", 15};
/// A file could ask for days of work; ssh-keygen's default is 16 and people use a few hundred.
constexpr std::uint32_t most_rounds = 20000;

Bn read_number(WireReader& reader) {
    const std::string_view bytes = reader.string();
    Bn number(BN_secure_new());
    BN_bin2bn(reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()),
              number.get());
    return number;
}

/// Named values that make an EVP_PKEY. It keeps pointers: the values must live until build().
class KeyBuilder {
public:
    void add(const char* name, const BIGNUM* value) { OSSL_PARAM_BLD_push_BN(builder_.get(), name, value); }
    void add(const char* name, const std::string& text) {
        OSSL_PARAM_BLD_push_utf8_string(builder_.get(), name, text.data(), text.size());
    }
    void add_bytes(const char* name, std::string_view bytes) {
        OSSL_PARAM_BLD_push_octet_string(builder_.get(), name, bytes.data(), bytes.size());
    }
    /// nullptr when the values do not make a key.
    PkeyPtr build(const char* type) {
        const std::unique_ptr<EVP_PKEY_CTX, decltype(&EVP_PKEY_CTX_free)> context(
            EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr), EVP_PKEY_CTX_free);
        const std::unique_ptr<OSSL_PARAM, decltype(&OSSL_PARAM_free)> parameters(
            OSSL_PARAM_BLD_to_param(builder_.get()), OSSL_PARAM_free);
        EVP_PKEY* key = nullptr;
        if (!parameters || EVP_PKEY_fromdata_init(context.get()) != 1 ||
            EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_KEYPAIR, parameters.get()) != 1) {
            ERR_clear_error();
            return nullptr;
        }
        return PkeyPtr(key);
    }

private:
    std::unique_ptr<OSSL_PARAM_BLD, decltype(&OSSL_PARAM_BLD_free)> builder_{OSSL_PARAM_BLD_new(),
                                                                             OSSL_PARAM_BLD_free};
};

PkeyPtr read_ed25519(WireReader& reader) {
    static constexpr std::size_t seed_bytes = 32;
    reader.string();  // the public half; it is compared with the envelope's later
    const std::string_view both = reader.string();
    if (both.size() != 2 * seed_bytes) return nullptr;
    return PkeyPtr(EVP_PKEY_new_raw_private_key(
        EVP_PKEY_ED25519, nullptr, reinterpret_cast<const unsigned char*>(both.data()), seed_bytes));
}

PkeyPtr read_ecdsa(WireReader& reader, std::string_view type) {
    const std::string_view curve = reader.string();
    if (type != "ecdsa-sha2-" + std::string(curve)) return nullptr;
    const std::string_view point = reader.string();
    const Bn secret = read_number(reader);
    const std::string group = "P-" + std::string(curve.substr(curve.size() - 3));
    KeyBuilder builder;
    builder.add(OSSL_PKEY_PARAM_GROUP_NAME, group);
    builder.add_bytes(OSSL_PKEY_PARAM_PUB_KEY, point);
    builder.add(OSSL_PKEY_PARAM_PRIV_KEY, secret.get());
    PkeyPtr key = builder.build("EC");
    if (!key) return nullptr;
    const std::unique_ptr<EVP_PKEY_CTX, decltype(&EVP_PKEY_CTX_free)> check(
        EVP_PKEY_CTX_new_from_pkey(nullptr, key.get(), nullptr), EVP_PKEY_CTX_free);
    if (EVP_PKEY_pairwise_check(check.get()) != 1) return nullptr;
    return key;
}

/// value mod (prime - 1): the exponents that the format leaves out.
Bn reduced(const BIGNUM* value, const BIGNUM* prime) {
    const std::unique_ptr<BN_CTX, decltype(&BN_CTX_free)> context(BN_CTX_secure_new(), BN_CTX_free);
    const Bn below(BN_dup(prime));
    Bn result(BN_secure_new());
    if (BN_sub_word(below.get(), 1) != 1 || BN_is_zero(below.get()) ||
        BN_mod(result.get(), value, below.get(), context.get()) != 1) {
        return nullptr;
    }
    return result;
}

PkeyPtr read_rsa(WireReader& reader) {
    static constexpr int most_bits = 16384;  // ssh-keygen's limit
    const Bn n = read_number(reader);
    const Bn e = read_number(reader);
    const Bn d = read_number(reader);
    const Bn coefficient = read_number(reader);
    const Bn p = read_number(reader);
    const Bn q = read_number(reader);
    for (const Bn* value : {&n, &e, &d, &coefficient, &p, &q}) {
        if (BN_num_bits(value->get()) > most_bits || BN_is_zero(value->get())) return nullptr;
    }
    const Bn d_p = reduced(d.get(), p.get());
    const Bn d_q = reduced(d.get(), q.get());
    if (!d_p || !d_q) return nullptr;
    KeyBuilder builder;
    builder.add(OSSL_PKEY_PARAM_RSA_N, n.get());
    builder.add(OSSL_PKEY_PARAM_RSA_E, e.get());
    builder.add(OSSL_PKEY_PARAM_RSA_D, d.get());
    builder.add(OSSL_PKEY_PARAM_RSA_FACTOR1, p.get());
    builder.add(OSSL_PKEY_PARAM_RSA_FACTOR2, q.get());
    builder.add(OSSL_PKEY_PARAM_RSA_EXPONENT1, d_p.get());
    builder.add(OSSL_PKEY_PARAM_RSA_EXPONENT2, d_q.get());
    builder.add(OSSL_PKEY_PARAM_RSA_COEFFICIENT1, coefficient.get());
    return builder.build("RSA");
}

void check_padding(WireReader& reader, std::string_view name) {
    for (std::uint8_t expected = 1; !reader.empty(); ++expected) {
        if (reader.byte() != expected) throw damaged_key_error(name, "its padding is wrong");
    }
}

}  // namespace

KeyError encrypted_key_error(std::string_view name) {
    return {KeyFault::Encrypted,
            "the private key " + std::string(name) +
                " is protected by a passphrase; load it into ssh-agent (ssh-add), or use a key "
                "without one"};
}

KeyError wrong_passphrase_error(std::string_view name) {
    return {KeyFault::WrongPassphrase, "wrong passphrase for the private key " + std::string(name)};
}

KeyError damaged_key_error(std::string_view name, std::string_view why) {
    return {KeyFault::Damaged, "the private key " + std::string(name) + " is damaged: " + std::string(why)};
}

OpensshKeyFile::OpensshKeyFile(std::string_view text, std::string_view name) : name_(name) {
    const std::size_t end = text.find(end_line);
    if (end == std::string_view::npos) throw damaged_key_error(name, "the END line is missing");
    auto bytes = base64_decode(text.substr(begin_line.size(), end - begin_line.size()));
    if (!bytes) throw damaged_key_error(name, "it is not valid base64");
    const Secret wiped(std::move(*bytes));
    try {
        WireReader reader(wiped.view());
        if (reader.take(magic.size()) != magic) throw damaged_key_error(name, "its header is invalid");
        cipher_ = reader.string();
        kdf_ = reader.string();
        kdf_options_ = reader.string();
        if (reader.u32() != 1)
            throw KeyError(KeyFault::Unsupported, name_ + " does not hold exactly one private key");
        public_blob_ = reader.string();
        section_ = Secret(std::string(reader.string()));
        tag_ = reader.rest();
    } catch (const WireError&) {
        throw damaged_key_error(name, "it is truncated");
    }
}

Secret OpensshKeyFile::decrypt(const std::optional<Secret>& passphrase) const {
    const KeyCipher* cipher = find_key_cipher(cipher_);
    if (cipher == nullptr || kdf_ != "bcrypt") {
        throw KeyError(KeyFault::Unsupported,
                       "the private key " + name_ + " is encrypted with " + cipher_ + " and " + kdf_ +
                           ", which Volley does not support; rewrite it with ssh-keygen -p");
    }
    if (!passphrase || passphrase->empty()) throw encrypted_key_error(name_);
    if (tag_.size() != cipher->tag_bytes || section_.view().size() % cipher->block_bytes != 0) {
        throw damaged_key_error(name_, "its length does not match its cipher");
    }
    WireReader options(kdf_options_);
    const std::string_view salt = options.string();
    const std::uint32_t rounds = options.u32();
    if (salt.empty() || rounds == 0) throw damaged_key_error(name_, "it has no salt or no rounds");
    if (rounds > most_rounds) {
        throw KeyError(KeyFault::Unsupported,
                       "the private key " + name_ + " requires " + std::to_string(rounds) +
                           " rounds of bcrypt; the limit is " + std::to_string(most_rounds));
    }
    const Secret material(
        bcrypt_pbkdf(passphrase->view(), salt, rounds, cipher->key_bytes + cipher->iv_bytes));
    auto plain = decrypt_key(*cipher, material.view(), section_.view(), tag_);
    if (!plain) throw wrong_passphrase_error(name_);
    return Secret(std::move(*plain));
}

std::shared_ptr<const PrivateKey> OpensshKeyFile::open(const std::optional<Secret>& passphrase) const try {
    const Secret section = encrypted() ? decrypt(passphrase) : section_;
    WireReader reader(section.view());
    if (reader.u32() != reader.u32()) {
        throw encrypted() ? wrong_passphrase_error(name_)
                          : damaged_key_error(name_, "its check numbers differ");
    }
    const std::string_view type = reader.string();
    PkeyPtr key;
    if (type == "ssh-ed25519") {
        key = read_ed25519(reader);
    } else if (type == "ssh-rsa") {
        key = read_rsa(reader);
    } else if (type == "ecdsa-sha2-nistp256" || type == "ecdsa-sha2-nistp384" ||
               type == "ecdsa-sha2-nistp521") {
        key = read_ecdsa(reader, type);
    } else {
        throw KeyError(
            KeyFault::Unsupported,
            "the private key " + name_ + " is of type " + scrub_utf8(type) +
                (type.substr(0, 3) == "sk-"
                     ? ", whose private half is in a hardware token; load it into ssh-agent (ssh-add)"
                     : ", which Volley does not support; create an ed25519 key"));
    }
    if (!key) throw damaged_key_error(name_, "its numbers do not form a valid key");
    const std::string comment(reader.string());
    check_padding(reader, name_);
    auto made = make_private_key(std::move(key), comment, name_);
    if (made->public_key().blob != public_blob_)
        throw damaged_key_error(name_, "the public and the private half do not match");
    return made;
} catch (const WireError&) {
    throw damaged_key_error(name_, "it is truncated");
}

}  // namespace volley::transports::ssh
