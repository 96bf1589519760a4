#include "transports/ssh/keys/key_cipher.hpp"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <array>
#include <memory>
#include <stdexcept>

namespace volley::transports::ssh {
namespace {

constexpr KeyCipher ciphers[] = {
    {"aes128-ctr", 16, 16, 16, 0, "AES-128-CTR"},
    {"aes192-ctr", 24, 16, 16, 0, "AES-192-CTR"},
    {"aes256-ctr", 32, 16, 16, 0, "AES-256-CTR"},
    {"aes128-cbc", 16, 16, 16, 0, "AES-128-CBC"},
    {"aes192-cbc", 24, 16, 16, 0, "AES-192-CBC"},
    {"aes256-cbc", 32, 16, 16, 0, "AES-256-CBC"},
    {"3des-cbc", 24, 8, 8, 0, "DES-EDE3-CBC"},
    {"aes128-gcm@openssh.com", 16, 12, 16, 16, "AES-128-GCM"},
    {"aes256-gcm@openssh.com", 32, 12, 16, 16, "AES-256-GCM"},
    {"chacha20-poly1305@openssh.com", 64, 0, 8, 16, nullptr},
};

const unsigned char* bytes_of(std::string_view text) noexcept {
    return reinterpret_cast<const unsigned char*>(text.data());
}

void require(bool ok) {
    if (ok) return;
    ERR_clear_error();
    throw std::runtime_error("OpenSSL does not support this cipher");
}

/// One pass of an OpenSSL cipher without padding. nullopt when the tag does not fit.
std::optional<std::string> run_cipher(const char* name, std::string_view key, std::string_view iv,
                                      std::string_view text, std::string_view tag) {
    const std::unique_ptr<EVP_CIPHER, decltype(&EVP_CIPHER_free)> cipher(
        EVP_CIPHER_fetch(nullptr, name, nullptr), EVP_CIPHER_free);
    const std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> context(EVP_CIPHER_CTX_new(),
                                                                                  EVP_CIPHER_CTX_free);
    require(cipher && context &&
            EVP_DecryptInit_ex2(context.get(), cipher.get(), bytes_of(key), bytes_of(iv), nullptr) == 1);
    EVP_CIPHER_CTX_set_padding(context.get(), 0);
    if (!tag.empty()) {
        std::string copy(tag);
        require(EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_TAG, static_cast<int>(copy.size()),
                                    copy.data()) == 1);
    }
    std::string plain(text.size() + EVP_MAX_BLOCK_LENGTH, '\0');
    auto* out = reinterpret_cast<unsigned char*>(plain.data());
    int size = 0;
    int last = 0;
    require(EVP_DecryptUpdate(context.get(), out, &size, bytes_of(text), static_cast<int>(text.size())) == 1);
    if (EVP_DecryptFinal_ex(context.get(), out + size, &last) != 1) {
        ERR_clear_error();
        OPENSSL_cleanse(plain.data(), plain.size());
        return std::nullopt;
    }
    plain.resize(static_cast<std::size_t>(size + last));
    return plain;
}

std::string poly1305(std::string_view key, std::string_view text) {
    const std::unique_ptr<EVP_MAC, decltype(&EVP_MAC_free)> mac(EVP_MAC_fetch(nullptr, "POLY1305", nullptr),
                                                                EVP_MAC_free);
    const std::unique_ptr<EVP_MAC_CTX, decltype(&EVP_MAC_CTX_free)> context(EVP_MAC_CTX_new(mac.get()),
                                                                            EVP_MAC_CTX_free);
    std::string tag(16, '\0');
    std::size_t size = 0;
    require(context && EVP_MAC_init(context.get(), bytes_of(key), key.size(), nullptr) == 1 &&
            EVP_MAC_update(context.get(), bytes_of(text), text.size()) == 1 &&
            EVP_MAC_final(context.get(), reinterpret_cast<unsigned char*>(tag.data()), &size, tag.size()) ==
                1);
    return tag;
}

/// OpenSSH's PROTOCOL.chacha20poly1305 for packet number 0: the first half of the key, block 0 keys the tag
/// and the text starts at block 1. (The second half enciphers lengths, which a file has none of.)
std::optional<std::string> run_chacha(std::string_view material, std::string_view text,
                                      std::string_view tag) {
    static constexpr std::size_t key_bytes = 32;
    static constexpr std::size_t poly_key_bytes = 32;
    const std::string_view key = material.substr(0, key_bytes);
    std::string counter(16, '\0');
    auto poly_key = run_cipher("ChaCha20", key, counter, std::string(poly_key_bytes, '\0'), {});
    const std::string expected = poly1305(*poly_key, text);
    OPENSSL_cleanse(poly_key->data(), poly_key->size());
    if (tag.size() != expected.size() || CRYPTO_memcmp(expected.data(), tag.data(), tag.size()) != 0) {
        return std::nullopt;
    }
    counter[0] = 1;
    return run_cipher("ChaCha20", key, counter, text, {});
}

}  // namespace

const KeyCipher* find_key_cipher(std::string_view name) noexcept {
    for (const KeyCipher& cipher : ciphers) {
        if (cipher.name == name) return &cipher;
    }
    return nullptr;
}

std::optional<std::string> decrypt_key(const KeyCipher& cipher, std::string_view material,
                                       std::string_view text, std::string_view tag) {
    if (cipher.openssl_name == nullptr) return run_chacha(material, text, tag);
    return run_cipher(cipher.openssl_name, material.substr(0, cipher.key_bytes),
                      material.substr(cipher.key_bytes, cipher.iv_bytes), text, tag);
}

}  // namespace volley::transports::ssh
