// What can be configured for the local transport (TRN-023).
#include <vector>

#include "transports/transport.hpp"

namespace volley::transports {

TransportSpec local_spec() {
    static const std::vector<OptionSpec> options{
        {.name = "bundled-ruby",
         .type = OptionType::Boolean,
         .description = "Run tasks that end in .rb with the ruby on the PATH, whatever their first line says.",
         .default_json = "true"},
        {.name = "cleanup",
         .type = OptionType::Boolean,
         .description = "Remove temporary files afterwards.",
         .default_json = "true"},
        {.name = "extensions",
         .type = OptionType::StringArray,
         .description =
             "On Windows: file extensions that scripts and tasks may have besides .ps1, .rb and .pp."},
        {.name = "interpreters",
         .type = OptionType::Interpreters,
         .description = "The program that runs files with an extension, in place of their first line."},
        {.name = "run-as", .type = OptionType::String, .description = "The user to run commands as."},
        {.name = "run-as-command",
         .type = OptionType::StringArray,
         .description = "The words that change the user; the user's name and the command are appended."},
        {.name = "sudo-executable",
         .type = OptionType::String,
         .description = "The program that changes the user, called with sudo's options."},
        {.name = "sudo-password",
         .type = OptionType::String,
         .description = "The password that sudo asks for.",
         .is_secret = true},
        {.name = "tmpdir", .type = OptionType::String, .description = "The directory for temporary files."},
    };
    return TransportSpec{.name = "local", .options = options};
}

}  // namespace volley::transports
