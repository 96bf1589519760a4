#include "transports/ssh/keys/keys.hpp"

#include <openssl/crypto.h>
#include <unistd.h>

#include <array>
#include <system_error>
#include <utility>

#include "support/crypto/digest.hpp"
#include "support/log.hpp"
#include "support/text.hpp"
#include "transports/ssh/keys/wire_encoding.hpp"

namespace volley::transports::ssh {
namespace {

constexpr std::string_view certificate_suffix = "-cert-v01@openssh.com";

/// The public key types whose certificates we know, and how many fields make up the key.
struct KeyKind {
    std::string_view certificate;
    std::string_view key;
    int fields;
};
constexpr KeyKind kinds[] = {
    {"ssh-ed25519-cert-v01@openssh.com", "ssh-ed25519", 1},
    {"ecdsa-sha2-nistp256-cert-v01@openssh.com", "ecdsa-sha2-nistp256", 2},
    {"ecdsa-sha2-nistp384-cert-v01@openssh.com", "ecdsa-sha2-nistp384", 2},
    {"ecdsa-sha2-nistp521-cert-v01@openssh.com", "ecdsa-sha2-nistp521", 2},
    {"ssh-rsa-cert-v01@openssh.com", "ssh-rsa", 2},
    {"sk-ssh-ed25519-cert-v01@openssh.com", "sk-ssh-ed25519@openssh.com", 2},
    {"sk-ecdsa-sha2-nistp256-cert-v01@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com", 3},
};

}  // namespace

KeyError::KeyError(KeyFault fault, std::string_view msg) : Error("bolt/ssh-key-error", msg), fault_(fault) {}

Secret::Secret(Secret&& other) noexcept { text_.swap(other.text_); }

Secret& Secret::operator=(Secret other) noexcept {
    text_.swap(other.text_);
    return *this;
}

Secret::~Secret() {
    text_.resize(text_.capacity());  // a moved-from short text still holds its bytes
    OPENSSL_cleanse(text_.data(), text_.size());
}

bool PublicKey::is_certificate() const noexcept {
    return type.size() > certificate_suffix.size() &&
           std::string_view(type).substr(type.size() - certificate_suffix.size()) == certificate_suffix;
}

std::string fingerprint(std::string_view blob) {
    std::string text = base64_encode(sha256(blob));
    while (!text.empty() && text.back() == '=') text.pop_back();
    return "SHA256:" + text;
}

std::string blob_type(std::string_view blob) {
    try {
        return std::string(WireReader(blob).string());
    } catch (const WireError&) {
        return {};
    }
}

std::optional<std::string> certified_key(std::string_view certificate_blob) {
    try {
        WireReader reader(certificate_blob);
        const std::string_view type = reader.string();
        for (const KeyKind& kind : kinds) {
            if (kind.certificate != type) continue;
            reader.string();  // nonce
            std::string key;
            put_string(key, kind.key);
            for (int i = 0; i < kind.fields; ++i) put_string(key, reader.string());
            return key;
        }
    } catch (const WireError&) {
    }
    return std::nullopt;
}

std::optional<PublicKey> parse_public_key(std::string_view line) {
    line = trim(line.substr(0, line.find('\n')));
    const std::size_t type_end = line.find_first_of(" \t");
    if (type_end == std::string_view::npos) return std::nullopt;
    PublicKey key;
    key.type = line.substr(0, type_end);
    const std::string_view rest = trim(line.substr(type_end));
    const std::size_t blob_end = rest.find_first_of(" \t");
    auto blob = base64_decode(rest.substr(0, blob_end));
    if (!blob || key.type.empty() || blob_type(*blob) != key.type) return std::nullopt;
    key.blob = std::move(*blob);
    if (blob_end != std::string_view::npos) key.comment = trim(rest.substr(blob_end));
    return key;
}

std::string_view signature_body(std::string_view signature_blob) {
    try {
        WireReader reader(signature_blob);
        reader.string();
        return reader.string();
    } catch (const WireError&) {
        throw KeyError(KeyFault::Damaged, "the signature is malformed");
    }
}

bool warn_unless_key_file(const std::filesystem::path& path) {
    std::error_code code;
    const auto status = std::filesystem::status(path, code);
    std::string_view fault;
    if (!std::filesystem::exists(status)) {
        fault = "does not exist";
    } else if (::access(path.c_str(), R_OK) != 0) {
        fault = "is unreadable";
    } else if (std::filesystem::is_directory(status)) {
        fault = "is not a file";
    }
    if (fault.empty()) return true;
    log_warning("invalid_ssh_key", "transports.ssh",
                "The ssh key '" + path.string() + "' " + std::string(fault));
    return false;
}

}  // namespace volley::transports::ssh
