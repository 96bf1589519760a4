#include "cli/options/command_line.hpp"

#include <algorithm>
#include <functional>

#include "cli/options/actions_of.hpp"
#include "cli/options/normaliser.hpp"
#include "cli/verb.hpp"
#include "support/error.hpp"
#include "support/text.hpp"
#include "tasks/metadata.hpp"

namespace volley::cli {
namespace {

[[noreturn]] void misuse(const std::string& message) { throw Error("bolt/cli-error", message); }

/// What other tools call our actions.
constexpr std::pair<std::string_view, std::string_view> action_synonyms[] = {
    {"list", "show"},      {"ls", "show"},        {"get", "show"},    {"info", "show"},
    {"describe", "show"},  {"exec", "run"},       {"execute", "run"}, {"start", "run"},
    {"create", "new"},     {"generate", "new"},   {"copy", "upload"}, {"put", "upload"},
    {"fetch", "download"}, {"update", "install"}, {"lint", "check"},  {"validate", "check"},
    {"test", "check"},     {"verify", "check"}};

std::string_view meant_action(std::string_view word) {
    for (const auto& [synonym, action] : action_synonyms) {
        if (synonym == word) return action;
    }
    return word;
}

/// "command run" and its like for an action without its noun; "list tasks" is task show.
std::vector<std::string> commands_with(const std::string& word, const std::string& next) {
    const std::string_view action = meant_action(word);
    std::vector<std::string> all;
    for (const Verb* verb : verbs()) {
        if (verb->action != action) continue;
        std::string command = std::string(verb->noun) + " " + std::string(action);
        if (next == verb->noun || next == std::string(verb->noun) + "s") return {std::move(command)};
        all.push_back(std::move(command));
    }
    return all;
}

/// "'a'", "'a' or 'b'", "'a', 'b', or 'c'"
std::string quoted_choice(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) text += i + 1 < words.size() ? ", " : words.size() > 2 ? ", or " : " or ";
        text += "'" + words[i] + "'";
    }
    return text;
}

/// " Did you mean ...?" for a first word that is not a command; empty when nothing is like it.
std::string command_hint(const std::string& word, const std::string& next,
                         std::span<const OptionInfo> options) {
    const std::vector<std::string> commands = commands_with(word, next);
    if (!commands.empty()) return " Did you mean " + quoted_choice(commands) + "?";
    if (find_option(options, word)) return " Did you mean '--" + word + "'?";
    std::vector<std::string> names{"help"};
    for (const Noun& noun : nouns()) names.emplace_back(noun.name);
    return did_you_mean(word, names);
}

[[noreturn]] void unknown_noun(const std::string& word, const std::string& hint) {
    misuse("'" + word + "' is not a Volley command." + hint + " See 'volley help'.");
}

/// `noun` may be an action that lacks its noun: "run uptime".
[[noreturn]] void unknown_action(const std::string& noun, const std::string& word,
                                 const std::vector<std::string>& actions) {
    const std::string meant(meant_action(word));
    const bool known = std::find(actions.begin(), actions.end(), meant) != actions.end();
    std::string hint = known ? " Did you mean '" + meant + "'?" : did_you_mean(word, actions);
    const std::vector<std::string> commands =
        hint.empty() ? commands_with(noun, word) : std::vector<std::string>();
    if (!commands.empty()) hint = " Did you mean " + quoted_choice(commands) + "?";
    misuse("Expected action '" + word + "' to be one of " + join(actions, ", ") + (hint.empty() ? "" : ".") +
           hint);
}

std::optional<std::string> shift(std::vector<std::string>& words) {
    if (words.empty()) return std::nullopt;
    std::string first = std::move(words.front());
    words.erase(words.begin());
    return first;
}

const Verb& choose_verb(std::vector<std::string>& words, std::span<const OptionInfo> options) {
    const std::string noun = shift(words).value_or("");
    if (find_noun(noun) == nullptr)
        unknown_noun(noun, command_hint(noun, words.empty() ? "" : words.front(), options));
    const std::vector<std::string> actions = actions_of(noun);
    if (actions.empty()) return *find_verb(noun, "");
    const auto action = shift(words);
    if (!action) {
        misuse("Expected an action of the form 'volley " + noun + " <action>', where <action> is one of " +
               join(actions, ", "));
    }
    const Verb* verb = find_verb(noun, *action);
    if (verb == nullptr) unknown_action(noun, *action, actions);
    return *verb;
}

/// CLI-017: segments of [a-z][a-z0-9_]*, joined by "::"; the first may be missing.
bool is_content_name(std::string_view name) {
    const std::vector<std::string> segments = split(name, "::");
    const std::ptrdiff_t first = segments.front().empty() ? 1 : 0;
    return std::all_of(segments.begin() + first, segments.end(), tasks::is_plain_name);
}

/// CLI-018: words with a "=" after at least one character are parameters.
void take_params(CommandLine& line) {
    std::vector<std::string> others;
    for (std::string& word : line.leftovers) {
        const std::size_t equals = word.find('=', 1);
        if (word.empty() || equals == std::string::npos) {
            others.push_back(std::move(word));
            continue;
        }
        // Ruby splits at the first "=", even when that is the first character.
        const std::size_t at = word.find('=');
        std::string name = word.substr(0, at);
        std::erase_if(line.params, [&](const auto& pair) { return pair.first == name; });
        line.params.emplace_back(std::move(name), word.substr(at + 1));
    }
    line.leftovers = std::move(others);
    if (line.options.action.params && !line.params.empty()) {
        misuse(
            "Parameters must be specified through either the --params option or param=value pairs, not both");
    }
}

/// `apply` takes a manifest or --execute, not both; policies come as one list with commas (CLI-002, CLI-012).
void check_applying(const CommandLine& line) {
    const Verb& verb = *line.verb;
    if (verb.noun == "apply") {
        if (line.object && line.options.action.code)
            misuse("--execute is unsupported when specifying a manifest file");
        if (line.options.action.clean_state) {
            if (line.object || line.options.action.code)
                misuse("--clean-state cannot be used with a manifest");
            return;
        }
        if (!line.object && !line.options.action.code) misuse("a manifest file or --execute is required");
    }
    if (verb.noun != "policy") return;
    if (verb.action == "apply" && !line.object) misuse("Must specify one or more policies to apply.");
    if (verb.action == "apply" && !line.leftovers.empty()) {
        misuse("Unknown argument(s) " + join(line.leftovers, ", ") +
               ". To apply multiple policies, provide a comma-separated list of policy names.");
    }
    if (verb.action == "new" && !line.object) misuse("Must specify a name for the new policy.");
    if (verb.action == "show" && line.object) misuse("Unknown argument " + *line.object + ".");
}

/// `module add` needs a name, `module show` takes one, the others take none (CLI-009).
void check_module_words(const CommandLine& line) {
    const Verb& verb = *line.verb;
    if (verb.noun != "module") return;
    if (verb.action == "add" && !line.object) misuse("Must specify a module name.");
    if (verb.action == "install" && line.object) {
        misuse("Invalid argument '" + *line.object +
               "'. To add a new module to the project, run 'volley module add " + *line.object + "'.");
    }
    if (verb.action == "generate-types" && line.object) misuse("Unknown argument " + *line.object);
}

void check_object(const CommandLine& line) {
    const Verb& verb = *line.verb;
    const std::string noun(verb.noun);
    check_applying(line);
    check_module_words(line);
    if (noun == "command" && line.object.value_or("").empty()) misuse("Must specify a command to run");
    const bool named = noun == "task" || noun == "plan";
    if ((noun == "script" || named) && verb.action == "run" && !line.object) {
        misuse("Must specify a " + noun + " to run");
    }
    if (named && verb.action == "run" && !is_content_name(*line.object)) {
        misuse("Invalid " + noun + " '" + *line.object + "'");
    }
    if (noun == "plan" && verb.action == "new" && !line.object) misuse("Must specify a plan name.");
    if (noun == "plan" && (verb.action == "convert" || verb.action == "graph") && !line.object)
        misuse("Must specify a plan.");
    if (noun == "file") {
        if (!line.object) misuse("Must specify a source");
        if (line.leftovers.empty()) misuse("Must specify a destination");
        if (line.leftovers.size() > 1) {
            misuse("Unknown arguments " + join(std::span(line.leftovers).subspan(1), ", "));
        }
    }
    if (noun == "inventory" && line.options.lookup.explain && !line.object)
        misuse("Must specify a key to explain, such as 'user' or 'vars.role'");
    if (noun == "plan" && verb.action == "resume") return;  // parameters may follow, and it knows the rest
    if (noun == "group" && line.object) misuse("Unknown argument " + *line.object);
    if (noun == "resource" && !line.object) misuse("Must specify a resource type, such as 'user'");
    static constexpr std::string_view with_words[] = {"facts", "file", "lookup", "resource", "run", "script"};
    const bool takes_words = std::ranges::find(with_words, noun) != std::end(with_words);
    if (!takes_words && !line.leftovers.empty()) {
        misuse("Unknown argument(s) " + join(line.leftovers, ", "));
    }
}

/// Whoever asks for nothing to happen must not be misunderstood.
void check_dry_run(const CommandLine& line) {
    const Verb& verb = *line.verb;
    if (!line.options.action.dry_run) return;
    if (std::ranges::find(verb.options, "dry-run") != verb.options.end()) return;
    misuse("'volley " + std::string(verb.noun) + (verb.action.empty() ? "" : " ") + std::string(verb.action) +
           "' has no '--dry-run'" + (verb.noun == "apply" ? ": '--noop' shows what would change" : ""));
}

/// Of `task show` and `plan show` it is a part of a name, of everything that acts an expression.
void check_filter(const CommandLine& line) {
    const auto& filter = line.options.display.filter;
    if (!filter || line.verb->action != "show") return;
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == ':';
    };
    if (!filter->empty() && std::all_of(filter->begin(), filter->end(), allowed)) return;
    misuse("Illegal characters in filter string '" + *filter +
           "'. Filters can only include lowercase letters, numbers, underscores, and colons.");
}

void check_options(const CommandLine& line) {
    check_filter(line);
    const Options& options = line.options;
    const Verb& verb = *line.verb;
    const bool may_change_nothing = (verb.noun == "task" && verb.action == "run") || verb.noun == "apply" ||
                                    verb.action == "apply" || verb.noun == "resource";
    if (options.action.noop && !may_change_nothing) {
        misuse("Option '--noop' can only be specified when running a task or applying manifest code");
    }
    check_dry_run(line);
    if (!options.action.environment.empty() && verb.noun != "command" && verb.noun != "script") {
        misuse("Option '--env-var' can only be specified when running a command or script");
    }
    static constexpr std::string_view names = "'--targets', '--rerun', or '--query'";
    const int given = (options.target.targets.empty() ? 0 : 1) + (options.target.query ? 1 : 0) +
                      (options.target.rerun ? 1 : 0);
    if (given > 1) misuse("Only one targeting option can be specified: " + std::string(names));
    if (verb.needs_targets && given == 0)
        misuse("Command requires a targeting option: " + std::string(names));
}

}  // namespace

void check_help_words(const std::string& noun, const std::string& action,
                      std::span<const OptionInfo> options) {
    if (noun.empty() || noun == "help") return;
    if (find_noun(noun) == nullptr) {
        const std::string hint = command_hint(noun, action, options);
        if (!hint.empty()) unknown_noun(noun, hint);
        return;
    }
    const std::vector<std::string> actions = actions_of(noun);
    if (!action.empty() && !actions.empty() && find_verb(noun, action) == nullptr)
        unknown_action(noun, action, actions);
}

bool CommandLine::verbose() const {
    return options.display.verbose.value_or(verb == nullptr || verb->noun != "plan");
}

CommandLine read_command_line(std::vector<std::string> words, Options options,
                              const std::function<std::string(const std::string&)>& read_argument,
                              std::span<const OptionInfo> known) {
    CommandLine line;
    line.options = std::move(options);
    line.verb = &choose_verb(words, known);
    line.object = shift(words);
    if (line.verb->noun == "command" && line.object) line.object = read_argument(*line.object);
    line.leftovers = std::move(words);
    if (line.verb->noun == "task" || line.verb->noun == "plan") take_params(line);
    check_object(line);
    check_options(line);
    return line;
}

}  // namespace volley::cli
