#include <nlohmann/json.hpp>

#include "cli/doctor/tracked_key.hpp"
#include "cli/run/session.hpp"
#include "cli/run/session_plugins.hpp"
#include "cli/terminal/secret_input.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"

namespace volley::cli {
namespace {

constexpr auto secret_encrypt_options =
    join_options(context_options, std::to_array<std::string_view>({"plugin"}));

/// Calls secret_encrypt of the plugin (MGT-016).
int run_secret_encrypt(Session& session, const CommandLine& line) {
    const std::string text = secret_input(session, line, "encrypt");
    const std::string plugin = line.options.action.plugin.value_or("pkcs7");
    const Json answer =
        session.plugins().call(plugin, inventory::Hook::SecretEncrypt, Json{{"plaintext_value", text}});
    print_secret(session, answer);
    warn_of_tracked_key(session, plugin);
    return 0;
}

}  // namespace

const Verb& secret_encrypt_verb() {
    static constexpr Verb verb{
        .noun = "secret",
        .action = "encrypt",
        .summary = "Encrypt a value",
        .usage = "secret encrypt [text | @file | -] [options]",
        .description =
            "Encrypts with the project's keys, or with what --plugin names. Words of a command line are seen "
            "by every user "
            "of this machine and kept in the shell's history: without a text the secret is asked for, "
            "unseen; - reads it "
            "from standard input, @file from a file. The line end of a single line is not part of the "
            "secret.",
        .guide = "plugins",
        .examples =
            "volley secret encrypt\npass show deploy | volley secret encrypt -\nvolley secret encrypt "
            "@key.pem",
        .options = secret_encrypt_options,
        .needs_targets = false,
        .run = run_secret_encrypt,
    };
    return verb;
}

}  // namespace volley::cli
