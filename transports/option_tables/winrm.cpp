// Options of the winrm transport (TRN-022) and the rules between them (TRN-032).
#include <nlohmann/json.hpp>

#include "transports/option_tables/option_tables.hpp"

namespace volley::transports {
namespace {

/// The sentences are Bolt's: they are what people search for.
std::vector<std::string> winrm_check(const Json& options) {
    std::vector<std::string> faults;
    const bool ssl = options.value("ssl", Json(true)) == true;
    if (ssl && options.value("file-protocol", Json()) == "smb") {
        faults.emplace_back("SMB file transfers are not allowed with SSL enabled");
    }
    if (!ssl && options.value("basic-auth-only", Json()) == true) {
        faults.emplace_back("Basic auth is only allowed when using SSL");
    }
    return faults;
}

}  // namespace

TransportSpec winrm_options() {
    static const std::vector<OptionSpec> options{
        {.name = "basic-auth-only",
         .type = OptionType::Boolean,
         .description = "Use no other authentication than basic; needs ssl.",
         .default_json = "false"},
        {.name = "cacert", .description = "The file of the certificate authority to trust.", .is_path = true},
        {.name = "cleanup",
         .type = OptionType::Boolean,
         .description = "Remove temporary files from the target afterwards.",
         .default_json = "true"},
        {.name = "connect-timeout",
         .type = OptionType::Integer,
         .description = "Seconds for connecting and logging in.",
         .default_json = "10",
         .minimum = 1},
        {.name = "extensions",
         .type = OptionType::StringArray,
         .description = "File extensions that scripts and tasks may have besides .ps1, .rb and .pp."},
        {.name = "file-protocol",
         .description = "How files are copied.",
         .default_json = R"("winrm")",
         .allowed = {"smb", "winrm"}},
        {.name = "host", .description = "The host name or address, when the target's name is not one."},
        {.name = "interpreters",
         .type = OptionType::Interpreters,
         .description = "The program that runs files with an extension."},
        {.name = "password", .description = "The password to log in with.", .is_secret = true},
        {.name = "port", .type = OptionType::Integer, .description = "The port to connect to.", .minimum = 0},
        {.name = "realm", .description = "The Kerberos realm to authenticate against."},
        {.name = "smb-port",
         .type = OptionType::Integer,
         .description = "The port for copying files with smb.",
         .minimum = 0},
        {.name = "ssl",
         .type = OptionType::Boolean,
         .description = "Connect over https.",
         .default_json = "true"},
        {.name = "ssl-verify",
         .type = OptionType::Boolean,
         .description = "Verify the server's certificate.",
         .default_json = "true"},
        {.name = "tmpdir", .description = "The directory on the target for temporary files."},
        {.name = "user", .description = "The user to log in as."},
    };
    return TransportSpec{.name = "winrm", .options = options, .check = winrm_check};
}

}  // namespace volley::transports
