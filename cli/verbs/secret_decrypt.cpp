#include <nlohmann/json.hpp>

#include "cli/run/session.hpp"
#include "cli/run/session_plugins.hpp"
#include "cli/terminal/secret_input.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"

namespace volley::cli {
namespace {

constexpr auto secret_decrypt_options =
    join_options(context_options, std::to_array<std::string_view>({"plugin"}));

/// Calls secret_decrypt of the plugin (MGT-016).
int run_secret_decrypt(Session& session, const CommandLine& line) {
    const std::string text = secret_input(session, line, "decrypt");
    const std::string plugin = line.options.action.plugin.value_or("pkcs7");
    const Json answer =
        session.plugins().call(plugin, inventory::Hook::SecretDecrypt, Json{{"encrypted_value", text}});
    print_secret(session, answer);
    return 0;
}

}  // namespace

const Verb& secret_decrypt_verb() {
    static constexpr Verb verb{
        .noun = "secret",
        .action = "decrypt",
        .summary = "Decrypt a value",
        .usage = "secret decrypt [ciphertext | @file | -] [options]",
        .description =
            "Decrypts with the project's keys, or with what --plugin names. - reads from standard input, "
            "@file from a file.",
        .guide = "plugins",
        .examples = "volley secret decrypt 'ENC[PKCS7,MIIB...]'",
        .options = secret_decrypt_options,
        .needs_targets = false,
        .run = run_secret_decrypt,
    };
    return verb;
}

}  // namespace volley::cli
