#include "transports/winrm/settings.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "transports/errors.hpp"

namespace volley::transports::winrm {
namespace {

constexpr int https_port = 5986;
constexpr int http_port = 5985;

/// A realm wants Kerberos, as in Bolt; a password NTLM. Without either there may still be a ticket.
Login login_of(const TargetConfig& target) {
    if (target.options->value("basic-auth-only", false)) return Login::Basic;
    if (!target.options->value("client-cert", std::string()).empty()) return Login::Certificate;
    if (!target.options->value("realm", std::string()).empty()) return Login::Kerberos;
    return target.password ? Login::Ntlm : Login::Negotiate;
}

std::optional<smb::Login> smb_login(const Settings& settings, const Json& options) {
    if (options.value("file-protocol", Json()) != "smb") return std::nullopt;
    smb::Login login;
    login.host = settings.host;
    login.port = static_cast<std::uint16_t>(options.value("smb-port", 445));
    login.user = settings.user;
    login.password = settings.password;
    login.kerberos = settings.login == Login::Kerberos || settings.login == Login::Negotiate;
    login.timeout = settings.connect_timeout;
    return login;
}

}  // namespace

Settings settings_of(const TargetConfig& target) {
    const Json& options = *target.options;
    Settings settings;
    settings.label = target.safe_name;
    settings.host = target.host.empty() ? target.name : target.host;
    const bool ssl = options.value("ssl", true);
    settings.port = target.port.value_or(ssl ? https_port : http_port);
    const bool is_ipv6 = settings.host.find(':') != std::string::npos;
    settings.url = fmt::format("{}://{}:{}/wsman", ssl ? "https" : "http",
                               is_ipv6 ? fmt::format("[{}]", settings.host) : settings.host, settings.port);
    if (ssl) {
        settings.tls.emplace();
        settings.tls->verify = options.value("ssl-verify", true);
        settings.tls->authority = options.value("cacert", std::string());
        settings.tls->certificate = options.value("client-cert", std::string());
        settings.tls->key = options.value("client-key", std::string());
    }
    settings.user = target.user.value_or("");
    settings.password = target.password.value_or("");
    settings.realm = options.value("realm", std::string());
    settings.login = login_of(target);
    if (settings.login == Login::Basic && (!target.user || !target.password))
        throw connect_error(
            fmt::format("{} needs a user and a password for Basic authentication", settings.label),
            "AUTH_ERROR");
    if (settings.login == Login::Ntlm && !target.user)
        throw connect_error(fmt::format("{} has a password and no user to log in as", settings.label),
                            "AUTH_ERROR");
    settings.connect_timeout = std::chrono::seconds(options.value("connect-timeout", 10));
    settings.smb = smb_login(settings, options);
    return settings;
}

}  // namespace volley::transports::winrm
