#include <nlohmann/json.hpp>

#include "cli/session.hpp"
#include "cli/session_plugins.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"
#include "support/error.hpp"

namespace volley::cli {
namespace {

constexpr auto secret_encrypt_options =
    join_options(context_options, std::to_array<std::string_view>({"plugin"}));

/// MGT-016.
int run_secret_encrypt(Session& session, const CommandLine& line) {
    if (!line.object) throw Error("bolt/cli-error", "Must specify a value to encrypt");
    const std::string plugin = line.options.action.plugin.value_or("pkcs7");
    const Json answer = session.plugins().call(plugin, inventory::Hook::SecretEncrypt,
                                               Json{{"plaintext_value", *line.object}});
    session.out().print_message(answer.is_string() ? answer.get<std::string>() : answer.dump());
    return 0;
}

}  // namespace

const Verb& secret_encrypt_verb() {
    static constexpr Verb verb{
        .noun = "secret",
        .action = "encrypt",
        .summary = "Encrypt a value",
        .usage = "secret encrypt <text> [options]",
        .description = "Encrypts with the project's keys, or with what --plugin names.",
        .guide = {},
        .examples = "volley secret encrypt 's3cret'",
        .options = secret_encrypt_options,
        .needs_targets = false,
        .run = run_secret_encrypt,
    };
    return verb;
}

}  // namespace volley::cli
