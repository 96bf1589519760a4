#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "transports/winrm/failure.hpp"

namespace volley::transports::winrm {

/// Login and encryption of one TCP connection, without any input or output. What a context knows (keys,
/// numbers of messages) belongs to one connection and is worth nothing on another one.

/// The login failed, or what the server sent cannot be decrypted.
class SecurityError final : public Failure {
public:
    using Failure::Failure;
};

/// There is nothing to log in with, or who decides about it refuses: no ticket, a wrong password.
class LoginError final : public Failure {
public:
    using Failure::Failure;
};

/// A message encrypted and signed by a security context.
struct SealedMessage {
    std::string header;  ///< the signature, or the header of a Kerberos token
    std::string content;
    std::size_t padding = 0;  ///< bytes at the end of the content that the clear text has not
};

class SecurityContext {
public:
    virtual ~SecurityContext() = default;
    SecurityContext() = default;
    SecurityContext(const SecurityContext&) = delete;
    SecurityContext& operator=(const SecurityContext&) = delete;

    /// Of the HTTP headers: "Negotiate" or "Kerberos".
    virtual std::string_view scheme() const noexcept = 0;
    /// The name in the content type of sealed bodies: "application/HTTP-SPNEGO-session-encrypted".
    virtual std::string_view seal_protocol() const noexcept = 0;
    /// Whether step() may wait for a server: then it must not run on the loop.
    virtual bool step_blocks() const noexcept { return false; }
    /// Takes the server's last token, empty at first, and returns the next one to send; empty when there is
    /// none. Throws SecurityError and LoginError.
    virtual std::string step(std::string_view token) = 0;
    /// No further token is expected.
    virtual bool established() const noexcept = 0;

    /// In the order in which messages are sent. After established().
    virtual SealedMessage seal(std::string_view clear) = 0;
    /// In the order in which they come. Throws SecurityError when the signature is wrong.
    virtual std::string open(const SealedMessage& message) = 0;
};

/// Who logs in with a password. The domain may be empty.
struct Account {
    std::string domain;
    std::string user;
    std::string password;  ///< sensitive
};
/// `DOMAIN\user`, `.\user` (of the target itself), `user@domain` (whole, without a domain) or `user`.
Account account_of(std::string_view user, std::string_view password);

/// NTLMv2 (MS-NLMP), sent without SPNEGO as Bolt does. `service`: the target's name as "HTTP/host".
/// `channel_binding`: what binds the login to a TLS connection (channel_binding.hpp), empty without TLS.
std::unique_ptr<SecurityContext> make_ntlm(Account account, std::string service, std::string channel_binding);

/// The body of a sealed HTTP message for a text of type application/soap+xml.
std::string encode_sealed_body(std::string_view protocol, std::size_t clear_size,
                               const SealedMessage& message);
std::string sealed_content_type(std::string_view protocol);

struct SealedBody {
    std::size_t clear_size = 0;
    SealedMessage message;
};
/// Reads it by its lengths: the encrypted part may contain the boundary. Throws SecurityError.
SealedBody decode_sealed_body(std::string_view body);

}  // namespace volley::transports::winrm
