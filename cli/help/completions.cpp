#include "cli/help/completions.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "cli/guides/guides.hpp"
#include "cli/help/help.hpp"
#include "cli/options/actions_of.hpp"
#include "cli/verb.hpp"
#include "support/error.hpp"
#include "support/text.hpp"
#include "support/text/escapes.hpp"

namespace volley::cli {
namespace {

using Words = std::vector<std::string>;

Words topics() {
    Words words;
    for (const Guide& guide : guides()) words.emplace_back(guide.topic);
    return words;
}

Words option_words(std::span<const OptionInfo> options) {
    Words words;
    for (const OptionInfo& option : options) {
        if (option.letter != '\0') words.push_back(std::string("-") + option.letter);
        words.push_back("--" + option.name);
        if (option.negatable) words.push_back("--no-" + option.name);
    }
    return words;
}

/// "-t|--targets" of every option whose value satisfies `wanted`.
template <class Wanted>
std::string patterns(std::span<const OptionInfo> options, Wanted wanted) {
    Words words;
    for (const OptionInfo& option : options) {
        if (!option.takes_value() || !wanted(option)) continue;
        if (option.letter != '\0') words.push_back(std::string("-") + option.letter);
        words.push_back("--" + option.name);
    }
    return join(words, "|");
}

bool is_path(const OptionInfo& option) {
    static constexpr std::string_view kinds[] = {"PATH", "KEY", "MODULES", "FILE", "DIR", "DIRS", "SCRIPT"};
    return option.name != "tmpdir" && option.name != "modules" &&  // a folder on targets; names of modules
           std::find(std::begin(kinds), std::end(kinds), option.value_name) != std::end(kinds);
}

/// What the words after a verb are: only where they are files are files offered.
bool takes_files(const Verb& verb) {
    static constexpr std::string_view nouns[] = {"apply", "catalog", "eval",    "file",
                                                 "parse", "script",  "validate"};
    return std::find(std::begin(nouns), std::end(nouns), verb.noun) != std::end(nouns) ||
           (verb.noun == "plan" && verb.action == "convert");
}

/// The functions that bash and zsh share; zsh runs them through bashcompinit.
std::string bash_functions(std::span<const OptionInfo> options) {
    std::string out =
        "_volley() {\n"
        "    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
        "    local noun=${COMP_WORDS[1]:-} action=${COMP_WORDS[2]:-} words= files=\n"
        "    COMPREPLY=()\n"
        "    case $previous in\n";
    for (const OptionInfo& option : options) {
        if (option.choices.empty()) continue;
        out += "        --" + option.name + ") words='" + join(option.choices, " ") + "' ;;\n";
    }
    out +=
        "        " + patterns(options, is_path) + ") COMPREPLY=( $(compgen -f -- \"$word\") ); return ;;\n";
    out += "        " +
           patterns(options, [](const OptionInfo& o) { return o.choices.empty() && !is_path(o); }) +
           ") return ;;\n    esac\n";
    out += "    if [ -z \"$words\" ]; then\n        case \"$noun $action\" in\n";
    for (const Verb* verb : verbs()) {
        const std::vector<OptionInfo> own = options_of(*verb, options);
        const std::string pattern = verb->action.empty()
                                        ? std::string(verb->noun) + "\\ *"
                                        : std::string(verb->noun) + "\\ " + std::string(verb->action);
        out += "            " + pattern + ") words='" + join(option_words(own), " ") + "' ;;\n";
    }
    out += "        esac\n        [[ $word == -* ]] || words=\n    fi\n";
    Words with_files;
    for (const Verb* verb : verbs()) {
        if (takes_files(*verb))
            with_files.push_back(std::string(verb->noun) + "\\ " +
                                 (verb->action.empty() ? "*" : std::string(verb->action)));
    }
    out += "    case \"$noun $action\" in " + join(with_files, "|") + ") files=yes ;; esac\n";
    Words names{"help"};
    for (const Noun& noun : nouns()) names.emplace_back(noun.name);
    out +=
        "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        words='" + join(names, " ") + " --help --version'\n";
    out += "    elif [ \"$COMP_CWORD\" -eq 2 ] && [[ $word != -* ]]; then\n        case $noun in\n";
    for (const Noun& noun : nouns()) {
        const Words actions = noun.name == "guide" ? topics() : actions_of(noun.name);
        if (!actions.empty())
            out += "            " + std::string(noun.name) + ") words='" + join(actions, " ") + "' ;;\n";
    }
    names.erase(names.begin());
    out += "            help) words='" + join(names, " ") + "' ;;\n        esac\n    fi\n";
    out +=
        "    if [ -n \"$words\" ]; then\n"
        "        COMPREPLY=( $(compgen -W \"$words\" -- \"$word\") )\n"
        "    elif [[ $word == @* ]]; then\n"
        "        COMPREPLY=( $(compgen -P @ -f -- \"${word#@}\") )\n"
        "    elif [[ $word != -* ]] && [ -n \"$files\" ]; then\n"
        "        COMPREPLY=( $(compgen -f -- \"$word\") )\n"
        "    fi\n}\n";
    return out;
}

std::string bash(std::span<const OptionInfo> options) {
    return "# bash completion for volley\n" + bash_functions(options) +
           "complete -o filenames -F _volley volley\n";
}

std::string zsh(std::span<const OptionInfo> options) {
    return "#compdef volley\nautoload -U +X bashcompinit && bashcompinit\n" + bash_functions(options) +
           "complete -o filenames -F _volley volley\n";
}

std::string fish_quote(std::string_view text) { return backslash_quoted(text, '\''); }

std::string fish_option(const OptionInfo& option, const std::string& condition) {
    std::string line = "complete -c volley -n " + fish_quote(condition) + " -l " + option.name;
    if (option.letter != '\0') line += std::string(" -s ") + option.letter;
    if (!option.choices.empty()) {
        line += " -x -a " + fish_quote(join(option.choices, " "));
    } else if (option.takes_value()) {
        line += is_path(option) ? " -r -F" : " -x";
    }
    line += " -d " + fish_quote(option.description) + "\n";
    if (option.negatable)
        line += "complete -c volley -n " + fish_quote(condition) + " -l no-" + option.name + "\n";
    return line;
}

std::string fish(std::span<const OptionInfo> options) {
    std::string out =
        "# fish completion for volley\n"
        "function __volley_at\n"
        "    set -l words (commandline -opc)\n"
        "    test (count $words) -eq (math (count $argv) + 1); or return 1\n"
        "    test (count $argv) -eq 0; or test \"$words[2..-1]\" = \"$argv\"\n"
        "end\n"
        "function __volley_in\n"
        "    set -l words (commandline -opc)\n"
        "    set -l last (math (count $argv) + 1)\n"
        "    test (count $words) -ge $last; and test \"$words[2..$last]\" = \"$argv\"\n"
        "end\n";
    Words commands;
    for (const Noun& noun : nouns()) commands.emplace_back(noun.name);
    out += "complete -c volley -f -n __volley_at -a help -d 'Show how to use a command'\n";
    out += "complete -c volley -f -n '__volley_at help' -a " + fish_quote(join(commands, " ")) + "\n";
    out += "complete -c volley -f -n '__volley_in help'\n";
    for (const Noun& noun : nouns()) {
        const std::string name(noun.name);
        out += "complete -c volley -f -n __volley_at -a " + name + " -d " + fish_quote(noun.summary) + "\n";
        for (const Verb* verb : verbs()) {
            if (verb->noun != noun.name) continue;
            std::string place = name;
            if (!verb->action.empty()) {
                const std::string action(verb->action);
                out += "complete -c volley -f -n " + fish_quote("__volley_at " + name) + " -a " + action +
                       " -d " + fish_quote(verb->summary) + "\n";
                place += " " + action;
            }
            if (!takes_files(*verb))
                out += "complete -c volley -f -n " + fish_quote("__volley_in " + place) + "\n";
            for (const OptionInfo& option : options_of(*verb, options))
                out += fish_option(option, "__volley_in " + place);
        }
    }
    out += "complete -c volley -f -n '__volley_at guide' -a " + fish_quote(join(topics(), " ")) + "\n";
    return out;
}

}  // namespace

std::string completions(const std::string& shell, std::span<const OptionInfo> shared_options) {
    const std::vector<OptionInfo> options = every_option(shared_options);
    if (shell == "bash") return bash(options);
    if (shell == "zsh") return zsh(options);
    if (shell == "fish") return fish(options);
    throw Error("bolt/cli-error",
                shell.empty() ? "Option '--completions' needs a shell: bash, zsh or fish"
                              : "There are no completions for '" + shell + "': use bash, zsh or fish");
}

}  // namespace volley::cli
