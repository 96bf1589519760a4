#include "transports/winrm/settings.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "transports/errors.hpp"

namespace volley::transports::winrm {
namespace {

constexpr int https_port = 5986;
constexpr int http_port = 5985;

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
    }
    if (options.contains("realm"))
        throw connect_error(
            fmt::format("{}: Kerberos (the option realm) is not supported yet", settings.label));
    if (!target.user || !target.password)
        throw connect_error(fmt::format("{} needs a user and a password to log in with", settings.label),
                            "AUTH_ERROR");
    settings.user = *target.user;
    settings.password = *target.password;
    settings.basic = options.value("basic-auth-only", false);
    settings.connect_timeout = std::chrono::seconds(options.value("connect-timeout", 10));
    return settings;
}

}  // namespace volley::transports::winrm
