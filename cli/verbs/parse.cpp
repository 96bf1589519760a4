#include "cli/compile/run.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"

namespace volley::cli {
namespace {

constexpr auto parse_options = join_options(
    language_code_options,
    std::to_array<std::string_view>({"epp", "no-validate", "file-name", "tasks", "strict", "format"}));

int parse_code(const LanguageOptions& options, Console& console, const inventory::ProcessContext& process) {
    return run_language_mode(options, LanguageRequest::Mode::Parse, console, process);
}

int run_parse(std::span<const std::string> words, Console& console,
              const inventory::ProcessContext& process) {
    return run_language_verb(*find_verb("parse", {}), words, console, process, parse_code);
}

}  // namespace

const Verb& parse_verb() {
    static constexpr Verb verb{
        .noun = "parse",
        .action = {},
        .summary = "Show how Puppet code is understood",
        .usage = "parse [-e CODE | FILE] [options]",
        .description =
            "Prints the tree of the code in Puppet Extended S-Expression notation (PN): what an editor or a "
            "formatter "
            "needs to know, and a way to see what binds to what.",
        .guide = {},
        .examples = "volley parse -e '1 + 2 * 3'\nvolley parse --format json site.pp",
        .options = parse_options,
        .needs_targets = false,
        .run = nullptr,
        .run_alone = run_parse,
        .own_options = language_options,
    };
    return verb;
}

}  // namespace volley::cli
