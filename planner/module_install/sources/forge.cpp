#include "planner/module_install/sources/forge.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "support/crypto/digest.hpp"
#include "support/error.hpp"
#include "support/json/json_text.hpp"
#include "support/text.hpp"

namespace volley::modules {
namespace {

/// A key of the Forge's web site is 64 hex digits and wants a word before it.
std::string authorization_of(const std::string& token) {
    const bool bare = token.size() == 64 && token.find_first_not_of("0123456789abcdef") == std::string::npos;
    return bare ? "Bearer " + token : token;
}

}  // namespace

SourceSettings SourceSettings::read(const Json& module_install) {
    SourceSettings settings;
    const Json forge =
        module_install.is_object() ? module_install.value("forge", Json::object()) : Json::object();
    settings.git_proxy = text_in(module_install, "proxy");
    settings.forge_proxy = text_in(forge, "proxy");
    if (settings.forge_proxy.empty()) settings.forge_proxy = settings.git_proxy;
    settings.authorization = authorization_of(text_in(forge, "authorization_token"));
    const std::string url = text_in(forge, "baseurl");
    if (url.empty() && !settings.authorization.empty()) {
        throw Error("bolt/validation-error",
                    "module-install: forge: 'authorization_token' needs 'baseurl': it must not go to the "
                    "public Forge");
    }
    if (url.empty()) return settings;
    if (!url.starts_with("http://") && !url.starts_with("https://") && !url.starts_with("file:///")) {
        throw Error(
            "bolt/validation-error",
            fmt::format(
                "module-install: forge: 'baseurl' is '{}', which must begin with 'http://', 'https://' or "
                "'file:///'",
                url));
    }
    settings.forge = url;
    while (settings.forge.ends_with('/')) settings.forge.pop_back();
    return settings;
}

std::unique_ptr<Forge> make_forge(const SourceSettings& settings) {
    constexpr std::string_view scheme = "file://";
    if (settings.forge.starts_with(scheme)) return make_forge_folder(settings.forge.substr(scheme.size()));
    return make_forge_client(settings);
}

void check_archive(const Release& release, std::string_view bytes) {
    const bool strong = !release.sha256.empty();
    if (!strong && release.md5.empty()) return;
    const std::string wanted = lower(strong ? release.sha256 : release.md5);
    const auto found = digest_hex(strong ? "SHA256" : "MD5", bytes);
    if (!found) throw Error("bolt/module-checksum-error", "OpenSSL cannot compute a checksum");
    if (*found == wanted) return;
    throw Error("bolt/module-checksum-error",
                fmt::format("The archive of {} {} is damaged or not what was published: its {} is {}, not {}",
                            release.name.full(), version_text(release.version), strong ? "SHA-256" : "MD5",
                            *found, wanted));
}

}  // namespace volley::modules
