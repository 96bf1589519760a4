#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "transports/errors.hpp"

namespace volley::transports::ssh {

/// "Failed to connect to LABEL: WHY".
inline TransportError failed_to_connect(std::string_view label, std::string_view why) {
    return connect_error(fmt::format("Failed to connect to {}: {}", label, why));
}

/// libssh2 cannot do what this target needs, but OpenSSH can: the transport tries native-ssh, else shows
/// this.
class Unsupported : public TransportError {
public:
    /// `missing`: one clause, e.g. "its only host keys are RSA".
    Unsupported(const TransportError& shown, std::string missing)
        : TransportError(shown), missing_(std::move(missing)) {}
    const std::string& missing() const noexcept { return missing_; }

private:
    std::string missing_;
};

/// The server hung up before it had introduced itself (MaxStartups, most likely), or while a person was asked
/// for a passphrase. Worth another try.
class Refused : public TransportError {
public:
    explicit Refused(const TransportError& shown) : TransportError(shown) {}
};

}  // namespace volley::transports::ssh
