#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "transports/ssh/keys/keys.hpp"

namespace volley::transports::ssh {

/// OpenSSH's own private key format (PROTOCOL.key), between its BEGIN and END lines.
class OpensshKeyFile {
public:
    /// Takes the envelope apart without decrypting. `text` begins with the BEGIN line. Throws KeyError.
    OpensshKeyFile(std::string_view text, std::string_view name);

    /// The public half, which is never encrypted.
    const std::string& public_blob() const noexcept { return public_blob_; }
    bool encrypted() const noexcept { return cipher_ != "none"; }
    /// Throws KeyError: Encrypted, WrongPassphrase, Damaged, Unsupported.
    std::shared_ptr<const PrivateKey> open(const std::optional<Secret>& passphrase) const;

private:
    Secret decrypt(const std::optional<Secret>& passphrase) const;

    std::string name_;
    std::string cipher_, kdf_, kdf_options_, public_blob_;
    Secret section_;  // the private section, encrypted or plain
    std::string tag_;
};

/// Errors in one voice for every format; `name` is the file's.
KeyError encrypted_key_error(std::string_view name);
KeyError wrong_passphrase_error(std::string_view name);
KeyError damaged_key_error(std::string_view name, std::string_view why);

}  // namespace volley::transports::ssh
