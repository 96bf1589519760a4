#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <utility>

#include "support/crypto/digest.hpp"
#include "support/files.hpp"
#include "support/text.hpp"
#include "transports/ssh/keys/keys.hpp"
#include "transports/ssh/shared_result.hpp"

namespace volley::transports::ssh {
namespace {

constexpr std::uintmax_t largest_key_file = 1U << 20U;
constexpr int passphrases_at_most = 3;  // as OpenSSH
constexpr std::string_view inline_name = "in private-key: key-data";

using KeyPtr = std::shared_ptr<const PrivateKey>;
using MaybePublic = std::optional<PublicKey>;

/// The file's text; throws KeyError. Runs on a worker.
Secret read_key_file(const std::filesystem::path& path) {
    std::error_code code;
    const auto size = std::filesystem::file_size(path, code);
    if (!code && size > largest_key_file) {
        throw KeyError(KeyFault::NotAKey, path.string() + " is too large for a private key");
    }
    // As OpenSSH: a key of ours that others can read is not used; one of somebody else's is his own business.
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0 && status.st_uid == ::getuid() &&
        (status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
        throw KeyError(
            KeyFault::Exposed,
            fmt::format("the private key {} is not used, because other users can access it (mode {:04o}); "
                        "run 'chmod 600 {}'",
                        path.string(), status.st_mode & 07777, shell_quote(path.string())));
    }
    try {
        return Secret(read_file(path, "private key"));
    } catch (const KeyError&) {
        throw;
    } catch (const Error& error) {
        throw KeyError(KeyFault::Missing, error.what());
    }
}

/// A file's text when there is such a file.
std::optional<std::string> read_if_there(const std::filesystem::path& path) {
    std::error_code code;
    const auto size = std::filesystem::file_size(path, code);
    if (code || size > largest_key_file) return std::nullopt;
    try {
        return read_file(path, "public key");
    } catch (const Error&) {
        return std::nullopt;
    }
}

MaybePublic read_public(const std::filesystem::path& path) {
    if (const auto text = read_if_there(path.string() + ".pub")) {
        if (auto key = parse_public_key(*text)) return key;
    }
    const auto text = read_if_there(path);
    if (!text) return std::nullopt;
    const Secret wiped(*text);
    if (auto key = parse_public_key(wiped.view())) return key;  // IdentityFile may name a .pub itself
    return peek_public_key(wiped.view());
}

MaybePublic read_certificate(const std::filesystem::path& path) {
    for (const std::string& candidate : {path.string() + "-cert.pub", path.string()}) {
        const auto text = read_if_there(candidate);
        if (!text) continue;
        auto key = parse_public_key(*text);
        if (key && key->is_certificate()) return key;
    }
    return std::nullopt;
}

/// Null when it failed with that fault; throws KeyError for any other.
KeyPtr parse_unless(std::optional<KeyFault> fault, const Secret& text, const std::string& name,
                    const std::optional<Secret>& passphrase = std::nullopt) {
    try {
        return parse_private_key(text.view(), name, passphrase);
    } catch (const KeyError& error) {
        if (error.fault() != fault) throw;
        return nullptr;
    }
}

}  // namespace

struct KeyStore::State {
    State(Runtime& runtime_, PassphraseSource passphrase_)
        : runtime(runtime_), passphrase(std::move(passphrase_)) {}

    struct Attempt {
        KeyPtr key;
        Secret text;  // kept only for a further attempt with a passphrase
    };

    /// Reads and parses on a worker; asks for the passphrase on the loop when it turns out to be needed.
    static Task<KeyPtr> open(std::shared_ptr<State> self, std::string name, std::function<Secret()> read) {
        const bool may_ask = static_cast<bool>(self->passphrase);
        auto first = [name, read, may_ask]() -> Attempt {
            Attempt attempt;
            attempt.text = read();
            const auto tolerated = may_ask ? std::optional(KeyFault::Encrypted) : std::nullopt;
            attempt.key = parse_unless(tolerated, attempt.text, name);
            return attempt;
        };
        Attempt attempt = co_await self->runtime.blocking(std::move(first));
        for (int asked = 1; !attempt.key; ++asked) {
            std::optional<Secret> passphrase = co_await self->passphrase(name, asked > 1);
            const bool last = !passphrase || asked == passphrases_at_most;
            const auto tolerated = last ? std::nullopt : std::optional(KeyFault::WrongPassphrase);
            auto next = [name, tolerated, text = attempt.text, passphrase = std::move(passphrase)] {
                return parse_unless(tolerated, text, name, passphrase);
            };
            attempt.key = co_await self->runtime.blocking(std::move(next));
        }
        co_return attempt.key;
    }

    template <class T>
    Task<T> shared(std::map<std::string, std::shared_ptr<SharedResult<T>>>& cache, const std::string& key,
                   Task<T> job) {
        auto& result = cache[key];
        if (!result) result = std::make_shared<SharedResult<T>>(runtime.loop());
        return SharedResult<T>::get(result, std::move(job));
    }

    Runtime& runtime;
    PassphraseSource passphrase;
    std::map<std::string, std::shared_ptr<SharedResult<KeyPtr>>> keys;
    std::map<std::string, std::shared_ptr<SharedResult<MaybePublic>>> publics;
    std::map<std::string, std::shared_ptr<SharedResult<MaybePublic>>> certificates;
};

KeyStore::KeyStore(Runtime& runtime, PassphraseSource passphrase)
    : state_(std::make_shared<State>(runtime, std::move(passphrase))) {}
KeyStore::~KeyStore() = default;

Task<std::shared_ptr<const PrivateKey>> KeyStore::load_file(std::filesystem::path path) {
    std::function<Secret()> read = [path] { return read_key_file(path); };
    auto job = State::open(state_, path.string(), std::move(read));
    return state_->shared(state_->keys, path.string(), std::move(job));
}

Task<std::shared_ptr<const PrivateKey>> KeyStore::load_text(Secret text) {
    const std::string key = "text:" + sha256(text.view());
    std::function<Secret()> read = [text = std::move(text)] { return text; };
    auto job = State::open(state_, std::string(inline_name), std::move(read));
    return state_->shared(state_->keys, key, std::move(job));
}

Task<std::optional<PublicKey>> KeyStore::load_public(std::filesystem::path path) {
    auto work = [path] { return read_public(path); };
    auto job = state_->runtime.blocking(std::move(work));
    return state_->shared(state_->publics, path.string(), std::move(job));
}

Task<std::optional<PublicKey>> KeyStore::load_certificate(std::filesystem::path path) {
    auto work = [path] { return read_certificate(path); };
    auto job = state_->runtime.blocking(std::move(work));
    return state_->shared(state_->certificates, path.string(), std::move(job));
}

}  // namespace volley::transports::ssh
