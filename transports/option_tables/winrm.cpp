// Options of the winrm transport (TRN-022) and the rules between them (TRN-032).
#include <nlohmann/json.hpp>

#include "transports/option_tables/shared_rows.hpp"
#include "transports/transport.hpp"

namespace volley::transports {
namespace {

/// The sentences are Bolt's: they are what people search for.
std::vector<std::string> check(const Json& options) {
    std::vector<std::string> faults;
    const bool ssl = options.value("ssl", Json(true)) == true;
    if (ssl && options.value("file-protocol", Json()) == "smb") {
        faults.emplace_back("SMB file transfers are not allowed with SSL enabled");
    }
    if (!ssl && options.value("basic-auth-only", Json()) == true) {
        faults.emplace_back("Basic auth is only allowed when using SSL");
    }
    const auto given = [&](const char* name) {
        const Json value = options.value(name, Json());
        return !value.is_null() && value != "";
    };
    const bool certificate = given("client-cert");
    if (certificate != given("client-key")) {
        faults.emplace_back("client-cert and client-key are needed together");
    } else if (certificate && !ssl) {
        faults.emplace_back("A client certificate is only allowed when using SSL");
    } else if (certificate && (options.value("basic-auth-only", Json()) == true || given("realm"))) {
        faults.emplace_back("client-cert excludes basic-auth-only and realm: there is one login");
    }
    return faults;
}

}  // namespace

TransportSpec winrm_spec() {
    static const std::vector<OptionSpec> options{
        {.name = "basic-auth-only",
         .type = OptionType::Boolean,
         .description = "Use no other authentication than basic; needs ssl.",
         .default_json = "false"},
        {.name = "cacert", .description = "The file of the certificate authority to trust.", .is_path = true},
        rows::cleanup,
        {.name = "client-cert",
         .description = "The file of the certificate to log in with, instead of a password; needs ssl.",
         .is_path = true},
        {.name = "client-key", .description = "The file of the private key of client-cert.", .is_path = true},
        rows::connect_timeout,
        {.name = "extensions",
         .type = OptionType::StringArray,
         .description = "File extensions that scripts and tasks may have besides .ps1, .rb and .pp."},
        {.name = "file-protocol",
         .description = "How files are copied.",
         .default_json = R"("winrm")",
         .allowed = {"smb", "winrm"}},
        rows::host,
        rows::interpreters,
        rows::password,
        rows::port,
        {.name = "realm", .description = "The Kerberos realm to authenticate against."},
        {.name = "smb-port",
         .type = OptionType::Integer,
         .description = "The port for copying files with smb.",
         .minimum = 0,
         .maximum = 65535},
        {.name = "ssl",
         .type = OptionType::Boolean,
         .description = "Connect over https.",
         .default_json = "true"},
        {.name = "ssl-verify",
         .type = OptionType::Boolean,
         .description = "Verify the server's certificate.",
         .default_json = "true"},
        rows::tmpdir,
        rows::user,
    };
    // Two connections, and one that is being opened.
    return TransportSpec{.name = "winrm", .options = options, .descriptors = 3, .check = check};
}

}  // namespace volley::transports
