#include "cli/program.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <optional>

#include "cli/completion/complete.hpp"
#include "cli/completion/line_arguments.hpp"
#include "cli/help/completions.hpp"
#include "cli/help/help.hpp"
#include "cli/help/language_reference.hpp"
#include "cli/help/manual.hpp"
#include "cli/help/reference.hpp"
#include "cli/help/schemas.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/normaliser.hpp"
#include "cli/options/parser.hpp"
#include "cli/run/session.hpp"
#include "cli/terminal/colors.hpp"
#include "cli/terminal/pager.hpp"
#include "cli/terminal/prompt.hpp"
#include "cli/verb.hpp"
#include "planner/interrupt.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/json/json_reader.hpp"
#include "support/standard_input.hpp"
#include "support/unicode/byte_order_mark.hpp"
#include "support/unicode/printable.hpp"
#include "support/version.hpp"

namespace volley::cli {
namespace {

ParserHost host_of(const inventory::ProcessContext& process) {
    ParserHost host;
    const auto expand = [folder = process.working_directory](const std::string& path) {
        return expand_path(path, folder).string();
    };
    host.expand_path = expand;
    // Compatibility (ARG-002): the text that is read is used as it is, with a newline at its end.
    host.read_argument = [expand](const std::string& value) {
        if (value == "-") return read_standard_input();
        if (!value.starts_with('@')) return value;
        const std::string text = read_file(expand(value.substr(1)), "argument file");
        return std::string(without_byte_order_mark(text));
    };
    host.read_password = [](std::string_view prompt) { return read_password(prompt); };
    host.inventory_in_environment = process.environment("BOLT_INVENTORY").has_value();
    return host;
}

/// Errors before the configuration is known (EXIT-006): text on standard output, whatever the format.
int report_early(Console& console, const std::string& message, const inventory::ProcessContext& process) {
    const bool color = console.is_terminal() && colors_wanted(process);
    const std::string shown = printable(message, "\n\t");
    console.write_line(color ? "\x1b[31m" + shown + "\x1b[0m" : shown);
    return 1;
}

/// `help`, `help NOUN [ACTION]`, -h anywhere, or nothing at all (CLI-019). nullopt: no help was asked for.
std::optional<std::string> requested_help(std::vector<std::string> words, bool help_option,
                                          std::span<const OptionInfo> options, bool color) {
    const bool help_word = !words.empty() && words.front() == "help";
    if (help_word) words.erase(words.begin());
    if (!help_word && !help_option) return std::nullopt;
    words.resize(std::max<std::size_t>(words.size(), 2));
    if (help_word) check_help_words(words[0], words[1], options);
    return help_text(words[0], words[1], options, color);
}

/// What the build and packagers ask for: completions, the manual page, schemas, docs/command-line.md,
/// docs/language/.
std::optional<std::string> built_in_text(const std::vector<std::string>& arguments,
                                         std::span<const OptionInfo> options) {
    if (arguments.size() == 3 && arguments[0] == "help" && arguments[1] == "--schema")
        return schema_text(arguments[2]);
    if (!arguments.empty() && arguments[0] == "--completions" && arguments.size() == 1)
        return completions({});
    if (arguments.size() != 2) return std::nullopt;
    if (arguments[0] == "--completions") return completions(arguments[1]);
    if (arguments[0] == "help" && arguments[1] == "--man") return manual(options, version());
    if (arguments[0] == "help" && arguments[1] == "--markdown") return reference_page(options);
    if (arguments[0] == "help" && arguments[1] == "--language-functions") return language_functions_page();
    if (arguments[0] == "help" && arguments[1] == "--language-types") return language_types_page();
    return std::nullopt;
}

/// What the functions of `--completions` ask: "--complete line LINE" or "--complete words WORD ...".
std::optional<std::string> completed(const std::vector<std::string>& arguments,
                                     std::span<const OptionInfo> options,
                                     const inventory::ProcessContext& process) {
    if (arguments.size() < 3 || arguments[0] != "--complete") return std::nullopt;
    if (arguments[1] == "words")
        return completions_text(complete(std::span(arguments).subspan(2), options, process));
    if (arguments[1] != "line" || arguments.size() != 3) return std::nullopt;
    const std::vector<std::string> words = line_arguments(arguments[2]);
    return completions_text(complete(std::span(words).subspan(1), options, process));  // without the program
}

int run_words(const std::vector<std::string>& arguments, Console& console,
              const inventory::ProcessContext& process, const NextCommand& next = {});

/// A verb that has another command done in its place, such as `run repeat`.
int run_next(std::optional<Session>& session, Console& console, inventory::ProcessContext process) {
    const NextCommand next = *session->next();
    session.reset();
    process.working_directory = next.folder;
    return run_words(next.words, console, process, next);
}

int run_verb(const CommandLine& line, Console& console, const inventory::ProcessContext& process) {
    std::optional<Session> session;
    try {
        session.emplace(line, console, process);
    } catch (const Error& error) {
        return report_early(console, error.what(), process);
    }
    try {
        const int status = line.verb->run(*session, line);
        return session->next() ? run_next(session, console, process) : status;
    } catch (const Error& error) {
        if (!session) return report_early(console, error.what(), process);
        session->out().fatal_error(error.info());
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        if (!session) return report_early(console, plain_message(error), process);
        session->out().fatal_error(ErrorInfo("bolt/error", plain_message(error)));
    }
    return 1;
}

/// A verb with options of its own comes first on the command line.
std::optional<int> run_alone(std::span<const std::string> arguments, Console& console,
                             const inventory::ProcessContext& process) {
    if (arguments.empty()) return std::nullopt;
    for (const Verb* verb : verbs()) {
        if (!verb->run_alone || verb->noun != arguments[0]) continue;
        const std::size_t words = verb->action.empty() ? 1 : 2;
        if (words == 2 && (arguments.size() < 2 || verb->action != arguments[1])) continue;
        return verb->run_alone(arguments.subspan(words), console, process);
    }
    return std::nullopt;
}

/// "Usage: volley command run <command> ...", for a command line that is wrong; empty when it names no verb.
std::string usage_of(const std::vector<std::string>& words) {
    if (words.empty()) return {};
    const Verb* verb = find_verb(words[0], {});
    if (verb == nullptr && words.size() > 1) verb = find_verb(words[0], words[1]);
    if (verb == nullptr) return {};
    return "Usage: volley " + std::string(verb->usage) + "\nSee 'volley help " + words[0] +
           (verb->action.empty() ? "" : " " + words[1]) + "'.";
}

/// What looks like an unknown option may belong to the script or command that is to be run.
std::string misplaced_option_hint(const std::vector<std::string>& arguments) {
    std::vector<std::string> words;
    std::copy_if(arguments.begin(), arguments.end(), std::back_inserter(words),
                 [](const std::string& word) { return !word.starts_with('-'); });
    if (words.size() < 3 || words[1] != "run") return {};
    if (words[0] == "script") {
        return "\nIf it is for the script, put '--' before the script's arguments: volley script run " +
               words[2] + " -t TARGETS -- ARGUMENTS";
    }
    if (words[0] == "command") return "\nIf it is part of the command, put the whole command in quotes.";
    return {};
}

/// The options of the verb that a command line begins with; all of them where it begins with none.
std::vector<OptionInfo> likely_options(const std::vector<std::string>& arguments,
                                       std::span<const OptionInfo> options) {
    const std::string noun = arguments.empty() ? "" : arguments[0];
    const Verb* verb = find_verb(noun, arguments.size() > 1 ? arguments[1] : "");
    if (verb == nullptr) verb = find_verb(noun, "");
    return verb ? options_of(*verb, options) : std::vector<OptionInfo>(options.begin(), options.end());
}

std::vector<std::string> parse_options(OptionParser& parser, const std::vector<std::string>& arguments) {
    try {
        return parser.parse(arguments);
    } catch (const UnknownOption& error) {
        const bool divided = std::find(arguments.begin(), arguments.end(), "--") != arguments.end();
        std::string hint = unknown_option_hint(error.typed(), likely_options(arguments, parser.options()));
        if (hint.empty() && !divided) hint = misplaced_option_hint(arguments);
        throw UnknownOption(error.typed(), hint);
    }
}

int run_words(const std::vector<std::string>& arguments, Console& console,
              const inventory::ProcessContext& process, const NextCommand& next) {
    if (const auto status = run_alone(arguments, console, process)) return *status;
    ParserHost host = host_of(process);
    // Who asks how a verb is used is not asked for its secrets.
    const auto end = std::find(arguments.begin(), arguments.end(), "--");
    const auto asks = [](const std::string& word) { return word == "--help" || word == "-h"; };
    if (std::any_of(arguments.begin(), end, asks)) host.read_password = [](std::string_view) { return ""; };
    OptionParser parser(std::move(host));
    const bool color = console.is_terminal() && colors_wanted(process);
    if (arguments.empty()) {
        show_paged(console, process, help_text({}, {}, parser.options(), color));
        return 0;
    }
    if (const auto text = completed(arguments, parser.options(), process)) {
        console.write(*text);
        return 0;
    }
    if (const auto text = built_in_text(arguments, parser.options())) {
        console.write(*text);
        return 0;
    }
    std::vector<std::string> words = parse_options(parser, arguments);
    if (const auto help = requested_help(words, parser.result().help, parser.options(), color)) {
        show_paged(console, process, *help);
        return 0;
    }
    if (parser.result().version) {
        console.write_line(version());
        return 0;
    }
    const std::string usage = usage_of(words);
    std::optional<CommandLine> line;
    try {
        line = read_command_line(std::move(words), parser.result(), host_of(process).read_argument,
                                 parser.options());
    } catch (const Error& error) {
        if (usage.empty() || error.info().kind() != "bolt/cli-error") throw;
        throw Error("bolt/cli-error", error.info().msg() + "\n" + usage);
    }
    line->resumes = next.resumes;
    if (!next.params.empty()) line->params = next.params;
    return run_verb(*line, console, process);
}

/// A closed pipe is the reader's business (`volley ... | head`); anything else is worth a word.
int after_writing(Console& console, int status) {
    console.set_status("", true);
    console.flush();
    const int error = console.error();
    if (error == 0)
        return planner::InterruptHandler::signal() != 0 ? 128 + planner::InterruptHandler::signal() : status;
    if (error != EPIPE) {
        const std::string text =
            std::string("Cannot write to standard output: ") + std::strerror(error) + "\n";
        [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, text.data(), text.size());
    }
    return 1;
}

}  // namespace

const char* version() noexcept { return program_version; }

int run_program(const std::vector<std::string>& arguments, Console& console,
                inventory::ProcessContext process) {
    int status = 1;
    process.output_formats = output_formats();
    try {
        status = run_words(arguments, console, process);
    } catch (const Error& error) {
        status = report_early(console, error.what(), process);
    } catch (const std::exception& error) {
        status = report_early(console, plain_message(error), process);
    }
    return after_writing(console, status);
}

}  // namespace volley::cli
