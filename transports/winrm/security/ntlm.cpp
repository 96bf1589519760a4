// NTLMv2 with signing and sealing (MS-NLMP), the client's side.
#include <openssl/rand.h>

#include <chrono>
#include <cstdint>
#include <optional>

#include "transports/winrm/security/legacy_ciphers.hpp"
#include "transports/winrm/security/ntlm_keys.hpp"
#include "transports/winrm/security/ntlm_messages.hpp"
#include "transports/winrm/security/security_context.hpp"
#include "transports/winrm/security/utf16.hpp"

namespace volley::transports::winrm {
namespace {

std::string random_bytes(std::size_t size) {
    std::string bytes(size, '\0');
    if (RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(size)) != 1)
        throw SecurityError("OpenSSL has no random bytes");
    return bytes;
}

/// Now, as Windows counts: units of 100 ns since 1601.
std::string file_time() {
    constexpr std::uint64_t from_1601_to_1970 = 116'444'736'000'000'000;
    const auto since_1970 = std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::system_clock::now().time_since_epoch());
    return ntlm::little_endian(static_cast<std::uint64_t>(since_1970.count()) / 100 + from_1601_to_1970, 8);
}

class NtlmContext final : public SecurityContext {
public:
    NtlmContext(Account account, std::string service, std::string channel_binding)
        : account_(std::move(account)),
          service_(std::move(service)),
          channel_binding_(std::move(channel_binding)) {}

    std::string_view scheme() const noexcept override { return "Negotiate"; }
    std::string_view seal_protocol() const noexcept override {
        return "application/HTTP-SPNEGO-session-encrypted";
    }

    std::string step(std::string_view token) override {
        if (negotiate_.empty()) {
            negotiate_ = ntlm::negotiate_message();
            return negotiate_;
        }
        if (outgoing_) throw SecurityError("the server sent an NTLM message after the login");
        if (token.empty()) throw SecurityError("the server did not answer with an NTLM challenge");
        return authenticate(token);
    }
    bool established() const noexcept override { return outgoing_.has_value(); }

    SealedMessage seal(std::string_view clear) override { return outgoing_.value().seal(clear); }
    std::string open(const SealedMessage& message) override { return incoming_.value().open(message); }

private:
    std::string authenticate(std::string_view token) {
        const ntlm::Challenge challenge = ntlm::parse_challenge(token);
        const std::string ntlm_key = ntlm::account_key(account_);
        const std::string client_challenge = random_bytes(8);
        const bool has_time = !challenge.timestamp.empty();
        std::string blob = std::string("\x01\x01\0\0\0\0\0\0", 8);
        blob += has_time ? challenge.timestamp : file_time();
        blob += client_challenge;
        blob += std::string(4, '\0');
        blob += ntlm::target_info(challenge, binding_hash(), utf16le(service_));
        blob += std::string(4, '\0');
        const std::string proof = ntlm::hmac_md5(ntlm_key, challenge.server_challenge + blob);
        const std::string exchange_key = ntlm::hmac_md5(ntlm_key, proof);
        const std::string session_key = random_bytes(16);

        ntlm::Authenticate answer;
        answer.flags = challenge.flags & ntlm::wanted_flags;
        answer.nt_response = proof + blob;
        // With a time of the server the older response is not looked at and must be empty (3.1.5.1.2).
        answer.lm_response =
            has_time
                ? std::string(24, '\0')
                : ntlm::hmac_md5(ntlm_key, challenge.server_challenge + client_challenge) + client_challenge;
        answer.domain = utf16le(account_.domain);
        answer.user = utf16le(account_.user);
        answer.session_key = Rc4(exchange_key).apply(session_key);
        std::string message = ntlm::authenticate_message(answer);
        if (has_time) {
            const std::string all = negotiate_ + std::string(token) + message;
            ntlm::set_integrity_code(message, ntlm::hmac_md5(session_key, all));
        }
        outgoing_.emplace(session_key, "client-to-server");
        incoming_.emplace(session_key, "server-to-client");
        account_.password.clear();
        return message;
    }

    /// What gss_channel_bindings_struct of this connection hashes to: no addresses, only the application's
    /// data.
    std::string binding_hash() const {
        if (channel_binding_.empty()) return {};
        return ntlm::md5(std::string(16, '\0') + ntlm::little_endian(channel_binding_.size(), 4) +
                         channel_binding_);
    }

    Account account_;
    std::string service_;
    std::string channel_binding_;
    std::string negotiate_;
    std::optional<ntlm::Direction> outgoing_;
    std::optional<ntlm::Direction> incoming_;
};

}  // namespace

std::unique_ptr<SecurityContext> make_ntlm(Account account, std::string service,
                                           std::string channel_binding) {
    return std::make_unique<NtlmContext>(std::move(account), std::move(service), std::move(channel_binding));
}

Account account_of(std::string_view user, std::string_view password) {
    Account account;
    account.password = password;
    const std::size_t backslash = user.find('\\');
    if (backslash == std::string_view::npos) {
        account.user = user;
        return account;
    }
    const std::string_view domain = user.substr(0, backslash);
    if (domain != ".") account.domain = domain;
    account.user = user.substr(backslash + 1);
    return account;
}

}  // namespace volley::transports::winrm
