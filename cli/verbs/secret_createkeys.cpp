#include <nlohmann/json.hpp>

#include "cli/doctor/tracked_key.hpp"
#include "cli/run/session.hpp"
#include "cli/run/session_plugins.hpp"
#include "cli/terminal/secret_input.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"

namespace volley::cli {
namespace {

constexpr auto secret_createkeys_options =
    join_options(context_options, std::to_array<std::string_view>({"force", "plugin"}));

/// Calls secret_createkeys of the plugin (MGT-016).
int run_secret_createkeys(Session& session, const CommandLine& line) {
    const std::string plugin = line.options.action.plugin.value_or("pkcs7");
    const Json options{{"force", line.options.action.force}};
    const Json answer = session.plugins().call(plugin, inventory::Hook::SecretCreateKeys, options);
    print_secret(session, answer);
    warn_of_tracked_key(session, plugin);
    return 0;
}

}  // namespace

const Verb& secret_createkeys_verb() {
    static constexpr Verb verb{
        .noun = "secret",
        .action = "createkeys",
        .summary = "Make a pair of keys",
        .usage = "secret createkeys [options]",
        .description =
            "Makes the keys that secret encrypt and decrypt use: keys/public_key.pkcs7.pem and "
            "keys/private_key.pkcs7.pem of the project. Keys that are there stay unless --force is given. "
            "The "
            "private key is added to the project's .gitignore.",
        .guide = "plugins",
        .examples = "volley secret createkeys\nvolley secret createkeys --force",
        .options = secret_createkeys_options,
        .needs_targets = false,
        .run = run_secret_createkeys,
    };
    return verb;
}

}  // namespace volley::cli
