#pragma once

#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

namespace boost::asio::ssl {
class context;
}

namespace volley::transports::winrm {

/// TLS as a target's options want it.
struct TlsSettings {
    bool verify = true;
    std::filesystem::path authority{};    ///< PEM file of the certificates to trust; empty: the system's
    std::filesystem::path certificate{};  ///< PEM file of the client's certificate and its chain; empty: none
    std::filesystem::path key{};          ///< of the certificate, without a passphrase

    bool operator==(const TlsSettings&) const = default;
};

/// Contexts of OpenSSL. Reading the system's certificates costs some 20 ms, so thousands of targets with the
/// same settings share one. Loop thread only.
class TlsContexts {
public:
    /// Throws HttpError for files that cannot be read, and for a key that others can read.
    std::shared_ptr<boost::asio::ssl::context> context_for(const TlsSettings& settings);

private:
    std::vector<std::pair<TlsSettings, std::shared_ptr<boost::asio::ssl::context>>> known_;
};

}  // namespace volley::transports::winrm
