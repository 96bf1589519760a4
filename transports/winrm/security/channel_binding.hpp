#pragma once

#include <openssl/types.h>

#include <string>

namespace volley::transports::winrm {

/// What binds a login to the TLS connection with this server: "tls-server-end-point:" and the certificate's
/// hash (RFC 5929), so that nobody between can use the login. Empty when the certificate cannot be hashed.
std::string tls_channel_binding(const X509& certificate);

}  // namespace volley::transports::winrm
