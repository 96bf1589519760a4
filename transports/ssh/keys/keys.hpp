#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.hpp"
#include "transports/runtime.hpp"
#include "transports/task.hpp"

namespace volley::transports::ssh {

enum class KeyFault : std::uint8_t {
    Missing,          ///< no such file, or it cannot be read
    NotAKey,          ///< not a private key at all
    Damaged,          ///< a private key that does not add up
    Unsupported,      ///< a type, format or cipher that we do not know
    Encrypted,        ///< needs a passphrase and there is none
    WrongPassphrase,  ///< the passphrase given does not open it
    Exposed,          ///< ours, but others may read or change the file
};

/// Why a key cannot be used; kind bolt/ssh-key-error. The message is one line with what to do.
class KeyError : public Error {
public:
    KeyError(KeyFault fault, std::string_view msg);
    KeyFault fault() const noexcept { return fault_; }

private:
    KeyFault fault_;
};

/// A text that is wiped from memory when it goes: passphrases and key texts.
class Secret {
public:
    Secret() = default;
    explicit Secret(std::string text) : text_(std::move(text)) {}
    Secret(const Secret&) = default;
    Secret(Secret&& other) noexcept;
    Secret& operator=(Secret other) noexcept;
    ~Secret();
    std::string_view view() const noexcept { return text_; }
    bool empty() const noexcept { return text_.empty(); }

private:
    std::string text_;
};

/// The public half, or a certificate: what the server is asked about before anything is decrypted.
struct PublicKey {
    std::string
        type;  ///< "ssh-ed25519", "ecdsa-sha2-nistp256", "ssh-rsa", "ssh-ed25519-cert-v01@openssh.com"
    std::string blob;  ///< SSH wire form
    std::string comment;
    bool is_certificate() const noexcept;
};

/// "SHA256:..." of a public key blob, as ssh-keygen -l prints it.
std::string fingerprint(std::string_view blob);
/// The type name that a blob begins with; empty when it is not a blob.
std::string blob_type(std::string_view blob);
/// A certificate's blob as that of the key it certifies; nullopt when it is not a certificate we know.
std::optional<std::string> certified_key(std::string_view certificate_blob);
/// Parses one line of a .pub or -cert.pub file; nullopt when it is none.
std::optional<PublicKey> parse_public_key(std::string_view line);

/// A private key ready to sign. Immutable; sign() may be called from any thread.
class PrivateKey {
public:
    virtual ~PrivateKey() = default;
    virtual const PublicKey& public_key() const noexcept = 0;
    /// The signature algorithms to try with a server, best first: one for ed25519 and ecdsa; rsa-sha2-512,
    /// rsa-sha2-256, ssh-rsa for RSA.
    virtual std::vector<std::string_view> algorithms() const = 0;
    /// The signature blob (string algorithm, string signature) over `data`. Takes 0.05 ms (ed25519, ecdsa) to
    /// 2.5 ms (RSA 3072) of CPU. Throws KeyError Unsupported for an algorithm that does not belong to the
    /// key.
    virtual std::string sign(std::string_view data, std::string_view algorithm) const = 0;
};

/// The signature inside a signature blob: what libssh2's sign callback wants. Throws KeyError Damaged.
std::string_view signature_body(std::string_view signature_blob);

/// Parses a private key: OpenSSH's own format, PEM (PKCS#1, SEC 1), PKCS#8, each plain or encrypted. `name`
/// is for messages. Decrypting OpenSSH's format costs about 0.1 s of CPU on purpose: not on the loop. Throws
/// KeyError.
std::shared_ptr<const PrivateKey> parse_private_key(std::string_view text, std::string_view name,
                                                    const std::optional<Secret>& passphrase = std::nullopt);

/// The public half of a private key text without decrypting it (OpenSSH's format, or any plain one); nullopt
/// when that needs the passphrase.
std::optional<PublicKey> peek_public_key(std::string_view text);

/// Every key is read, parsed and decrypted once per run, on a worker; callers at the same time share one
/// job, and a failure is remembered as well. Loop thread only.
class KeyStore {
public:
    /// Asked, on the loop, for the passphrase of an encrypted key; nullopt: nobody knows it. `again`: the
    /// one before was wrong. It is asked three times at most.
    using PassphraseSource = std::function<Task<std::optional<Secret>>(std::string key_name, bool again)>;

    explicit KeyStore(Runtime& runtime, PassphraseSource passphrase = {});
    ~KeyStore();
    KeyStore(const KeyStore&) = delete;
    KeyStore& operator=(const KeyStore&) = delete;

    /// Throws KeyError, also for a file of ours that others may read or change (unlike Bolt, as OpenSSH
    /// does).
    Task<std::shared_ptr<const PrivateKey>> load_file(std::filesystem::path path);
    /// An inline key (`key-data`). Throws KeyError. The text is not kept.
    Task<std::shared_ptr<const PrivateKey>> load_text(Secret text);
    /// The public half without a passphrase: from FILE.pub, else from FILE itself; nullopt when neither
    /// has it.
    Task<std::optional<PublicKey>> load_public(std::filesystem::path path);
    /// The certificate in FILE-cert.pub (or in `path` itself when that is one); nullopt when there is none.
    Task<std::optional<PublicKey>> load_certificate(std::filesystem::path path);

private:
    struct State;
    std::shared_ptr<State> state_;
};

/// SSH-003: the warning `invalid_ssh_key` when a configured private-key is missing, unreadable or not a file.
/// Once per path is the caller's duty. True when the file looks usable.
bool warn_unless_key_file(const std::filesystem::path& path);

}  // namespace volley::transports::ssh
