#include "cli/compile/batch.hpp"
#include "cli/compile/run.hpp"
#include "cli/repl/repl.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/option_sets.hpp"

namespace volley::cli {
namespace {

constexpr auto eval_options = join_options(
    language_code_options, language_world_options,
    std::to_array<std::string_view>({"manifest", "script", "epp", "batch", "file-name", "tasks", "format"}));

int evaluate_code(const LanguageOptions& options, Console& console,
                  const inventory::ProcessContext& process) {
    if (options.batch) return answer_batch(console, options.ruby);
    const bool prompt = options.code.empty() && options.files.empty() && options.format == "human";
    if (prompt && process.standard_input_is_terminal && console.is_terminal())
        return run_repl(options, console, process);
    return run_language_mode(options, LanguageRequest::Mode::Eval, console, process);
}

int run_eval(std::span<const std::string> words, Console& console, const inventory::ProcessContext& process) {
    return run_language_verb(*find_verb("eval", {}), words, console, process, evaluate_code);
}

}  // namespace

const Verb& eval_verb() {
    static constexpr Verb verb{
        .noun = "eval",
        .action = {},
        .summary = "Evaluate code of the Puppet language",
        .usage = "eval [-e CODE ...] [FILE] [options]",
        .description =
            "Compiles a catalog whose main manifest is the code and prints the value of the last expression; "
            "nothing "
            "is applied. Several -e run in turn in the top scope, after FILE. Without code it is read from "
            "standard input; on a terminal that is a prompt with history and completion. With --script the "
            "code is evaluated without a catalog: no resources, and no functions of plans.",
        .guide = {},
        .examples =
            "volley eval -e '[1, 2, 3].map |$x| { $x * 2 }'\n"
            "volley eval --epp motd.epp --vars vars.json\n"
            "volley eval --format json --modulepath modules -e 'lookup(\"ntp::servers\")'",
        .options = eval_options,
        .needs_targets = false,
        .run = nullptr,
        .run_alone = run_eval,
        .own_options = language_options,
    };
    return verb;
}

}  // namespace volley::cli
