#include "transports/winrm/http/tls_contexts.hpp"

#include <fmt/format.h>
#include <openssl/ssl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/ssl/context.hpp>

#include "support/text.hpp"
#include "transports/winrm/http/http_connection.hpp"

namespace volley::transports::winrm {
namespace {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

void trust(ssl::context& context, const std::filesystem::path& authority) {
    error_code failed;
    if (authority.empty()) {
        context.set_default_verify_paths(failed);
    } else {
        context.load_verify_file(authority.string(), failed);
    }
    if (failed)
        throw HttpError(
            fmt::format("the certificates in {} could not be read: {}", authority.string(), failed.message()),
            true);
}

/// As for the keys of SSH: one of ours that others can read is not used.
void check_access(const std::filesystem::path& key) {
    struct stat status {};
    if (::stat(key.c_str(), &status) != 0 || status.st_uid != ::getuid() ||
        (status.st_mode & (S_IRWXG | S_IRWXO)) == 0)
        return;
    throw HttpError(fmt::format("the client key {} is not used, because other users can access it (mode "
                                "{:04o}); run 'chmod 600 {}'",
                                key.string(), status.st_mode & 07777, shell_quote(key.string())),
                    true);
}

void present(ssl::context& context, const TlsSettings& settings) {
    check_access(settings.key);
    error_code failed;
    context.use_certificate_chain_file(settings.certificate.string(), failed);
    if (failed)
        throw HttpError(fmt::format("the client certificate {} could not be read: {}",
                                    settings.certificate.string(), failed.message()),
                        true);
    bool asked = false;  // OpenSSL would ask on the terminal
    const auto no_passphrase = [&asked](std::size_t, ssl::context::password_purpose) {
        asked = true;
        return std::string();
    };
    context.set_password_callback(no_passphrase);
    context.use_private_key_file(settings.key.string(), ssl::context::pem, failed);
    if (failed)
        throw HttpError(fmt::format("the client key {} could not be used with {}: {}", settings.key.string(),
                                    settings.certificate.string(),
                                    asked ? "it has a passphrase, which is not supported" : failed.message()),
                        true);
    // With TLS 1.3 Windows asks for the certificate after the handshake.
    SSL_CTX_set_post_handshake_auth(context.native_handle(), 1);
}

std::shared_ptr<ssl::context> make_context(const TlsSettings& settings) {
    auto context = std::make_shared<ssl::context>(ssl::context::tls_client);
    SSL_CTX_set_min_proto_version(context->native_handle(), TLS1_2_VERSION);
    SSL_CTX_set_mode(context->native_handle(), SSL_MODE_RELEASE_BUFFERS);
    // Windows and some middle boxes end connections without TLS's own farewell; lengths are checked by HTTP.
    SSL_CTX_set_options(context->native_handle(), SSL_OP_IGNORE_UNEXPECTED_EOF);
    if (settings.verify) trust(*context, settings.authority);
    if (!settings.certificate.empty()) present(*context, settings);
    context->set_verify_mode(settings.verify ? ssl::verify_peer : ssl::verify_none);
    return context;
}

}  // namespace

std::shared_ptr<ssl::context> TlsContexts::context_for(const TlsSettings& settings) {
    const auto found =
        std::find_if(known_.begin(), known_.end(), [&](const auto& each) { return each.first == settings; });
    if (found != known_.end()) return found->second;
    return known_.emplace_back(settings, make_context(settings)).second;
}

}  // namespace volley::transports::winrm
