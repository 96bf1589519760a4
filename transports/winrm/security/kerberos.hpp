#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "transports/winrm/security/security_context.hpp"

namespace volley::transports::winrm {

namespace gss {
class OwnedCredential;
}

/// Who logs in with Kerberos, and where.
struct KerberosLogin {
    KerberosLogin() = default;
    std::string realm;     ///< empty: as the library's configuration has it
    std::string user;      ///< empty: whoever's ticket is in the cache
    std::string password;  ///< sensitive; empty: a ticket of the cache
    std::string host;
    std::string channel_binding;
    bool spnego = false;  ///< scheme Negotiate instead of Kerberos
};

/// What logins have been prepared with, once for all targets. Any thread.
class KerberosCredentials {
public:
    KerberosCredentials();
    ~KerberosCredentials();
    /// A ticket of the user's own in the cache, else one for the password, else the cache's first. Asks a
    /// KDC. Throws LoginError.
    std::shared_ptr<const gss::OwnedCredential> find(const KerberosLogin& login);

private:
    std::mutex mutex_;
    std::map<std::string, std::shared_ptr<const gss::OwnedCredential>> known_;
};

/// Kerberos by the system's GSS-API library. `credentials` must outlive it. Its steps may wait for a KDC.
std::unique_ptr<SecurityContext> make_kerberos(KerberosLogin login,
                                               std::shared_ptr<KerberosCredentials> credentials);

}  // namespace volley::transports::winrm
