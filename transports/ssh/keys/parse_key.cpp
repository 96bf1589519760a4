#include <openssl/err.h>
#include <openssl/pem.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "support/text.hpp"
#include "transports/ssh/keys/keys.hpp"
#include "transports/ssh/keys/openssh_format.hpp"
#include "transports/ssh/keys/private_key.hpp"

namespace volley::transports::ssh {
namespace {

constexpr std::string_view openssh_begin = "-----BEGIN OPENSSH PRIVATE KEY-----";
constexpr std::string_view pem_begins[] = {"-----BEGIN RSA PRIVATE KEY-----",
                                           "-----BEGIN EC PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----",
                                           "-----BEGIN ENCRYPTED PRIVATE KEY-----"};

struct PassphraseQuestion {
    const std::optional<Secret>& passphrase;
    bool asked = false;
};

/// OpenSSL's question for the passphrase; without one here it would ask the terminal.
int give_passphrase(char* buffer, int size, int /*writing*/, void* context) {
    auto& question = *static_cast<PassphraseQuestion*>(context);
    question.asked = true;
    if (!question.passphrase) return -1;
    const std::string_view text = question.passphrase->view();
    if (text.size() > static_cast<std::size_t>(size)) return -1;
    std::memcpy(buffer, text.data(), text.size());
    return static_cast<int>(text.size());
}

/// True when OpenSSL's errors mean that it lacks the cipher. Its decoders report "unsupported" as well, of
/// bytes that are not a key: those of a plain file, or what a wrong passphrase made of an encrypted one (one
/// in 256 leaves a padding that looks right).
bool cipher_is_missing() {
    bool missing = false;
    for (unsigned long code = ERR_get_error(); code != 0; code = ERR_get_error()) {
        const int library = ERR_GET_LIB(code);
        const int reason = ERR_GET_REASON(code);
        missing = missing || (library == ERR_LIB_PEM && reason == PEM_R_UNSUPPORTED_ENCRYPTION) ||
                  (library == ERR_LIB_EVP && reason == ERR_R_UNSUPPORTED);
    }
    return missing;
}

std::shared_ptr<const PrivateKey> parse_pem(std::string_view text, std::string_view name,
                                            const std::optional<Secret>& passphrase) {
    const std::unique_ptr<BIO, decltype(&BIO_free)> bio(
        BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), BIO_free);
    PassphraseQuestion question{passphrase};
    ERR_clear_error();
    PkeyPtr key(PEM_read_bio_PrivateKey(bio.get(), nullptr, give_passphrase, &question));
    if (key) return make_private_key(std::move(key), {}, name);
    const bool missing = cipher_is_missing();
    if (question.asked && (!passphrase || passphrase->empty())) throw encrypted_key_error(name);
    if (question.asked && !missing) throw wrong_passphrase_error(name);
    if (missing) {
        throw KeyError(KeyFault::Unsupported,
                       "the private key " + std::string(name) +
                           " has a type or an encryption that OpenSSL does not support");
    }
    throw damaged_key_error(name, "OpenSSL cannot read it");
}

/// What the file is instead, when the user named the wrong one.
KeyError not_a_key(std::string_view text, std::string_view name) {
    std::string hint;
    if (parse_public_key(text)) {
        hint = "; it is a public key, name the file without .pub";
    } else if (text.substr(0, 23) == "PuTTY-User-Key-File-2: " ||
               text.substr(0, 23) == "PuTTY-User-Key-File-3: ") {
        hint = "; it is a PuTTY key, convert it with puttygen FILE -O private-openssh";
    } else if (text.find("-----BEGIN DSA PRIVATE KEY-----") != std::string_view::npos) {
        return {KeyFault::Unsupported,
                std::string(name) + " is a DSA key, which servers no longer accept; create an ed25519 key"};
    }
    return {KeyFault::NotAKey, std::string(name) + " is not a private key" + hint};
}

/// From the BEGIN line of the first private key on; empty when there is none.
std::string_view find_begin(std::string_view text, std::string_view line) {
    const std::size_t at = text.find(line);
    return at == std::string_view::npos ? std::string_view{} : text.substr(at);
}

}  // namespace

std::shared_ptr<const PrivateKey> parse_private_key(std::string_view text, std::string_view name,
                                                    const std::optional<Secret>& passphrase) {
    if (const auto begin = find_begin(text, openssh_begin); !begin.empty()) {
        return OpensshKeyFile(begin, name).open(passphrase);
    }
    for (const std::string_view line : pem_begins) {
        if (const auto begin = find_begin(text, line); !begin.empty())
            return parse_pem(begin, name, passphrase);
    }
    throw not_a_key(text, name);
}

std::optional<PublicKey> peek_public_key(std::string_view text) {
    try {
        if (const auto begin = find_begin(text, openssh_begin); !begin.empty()) {
            PublicKey key;
            key.blob = OpensshKeyFile(begin, "key").public_blob();
            key.type = blob_type(key.blob);
            return key;
        }
        return parse_private_key(text, "key")->public_key();
    } catch (const KeyError&) {
        return std::nullopt;
    }
}

}  // namespace volley::transports::ssh
