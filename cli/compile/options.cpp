#include "cli/compile/options.hpp"

#include "cli/options/groups.hpp"
#include "cli/options/parser.hpp"
#include "support/error.hpp"

namespace volley::cli {
namespace {

using Text = std::optional<std::string>;

auto keep_text(Text& into) {
    return [&into](const std::string& value) { into = value; };
}

auto set_flag(bool& into, bool value = true) {
    return [&into, value] { into = value; };
}

void add_code_options(OptionBuilder& b, LanguageOptions& options) {
    b.heading("Code options");
    b.text("-e,--execute", "CODE", "Code to read; may be repeated.",
           [&](const std::string& code) { options.code.push_back(code); });
    b.text("--manifest", "FILE", "A manifest to evaluate before the code.", keep_text(options.manifest));
    b.text("--file-name", "NAME", "What -e code and standard input are called in messages.",
           keep_text(options.file_name));
    b.flag("--script", "Evaluate without a catalog: no resources, and no functions of plans.",
           set_flag(options.script));
    b.flag("--epp", "The code is an EPP template.", set_flag(options.epp));
    b.flag("--batch", "Answer requests, one JSON object a line, from standard input.",
           set_flag(options.batch));
    b.flag("--no-validate", "Check the syntax only.", set_flag(options.validate, false));
    b.flag("--all-resources",
           "Virtual resources, and exported ones that nothing collects, are part of the catalog.",
           set_flag(options.all_resources));
    b.text("--from", "REVISION", "The git revision before: code is read from it.", keep_text(options.from));
    b.text("--to", "REVISION", "The git revision after (default: the files as they are).",
           keep_text(options.to));
    b.flag("--tasks", "Plans are part of the language: plan and apply are keywords.",
           set_flag(options.tasks));
}

void add_node_and_environment_options(OptionBuilder& b, LanguageOptions& options) {
    b.heading("Node options");
    add_node_options(
        b, options, "Facts: a JSON object, '-' for standard input; or for many nodes a folder of NODE.json.");
    b.flag("--facter", "Take the facts of this machine, those of the modules too, from the program facter.",
           set_flag(options.facter));
    b.text("--trusted", "FILE", "The variable $trusted: a JSON object.", keep_text(options.trusted));
    b.text("--vars", "FILE", "Variables of the top scope: a hash as rich data in JSON.",
           keep_text(options.vars));
    b.text("--classes", "FILE",
           "Classes from a node classifier: a JSON list of names, or an object of class to parameters.",
           keep_text(options.classes));
    b.heading("Environment options");
    b.text("--modulepath", "MODULES", "Folders that hold modules, separated by ':'.",
           keep_text(options.modulepath));
    b.text("--hiera-config", "PATH", "Hiera configuration above those of environment and modules.",
           keep_text(options.hiera_config));
    b.choice("--strict", "LEVEL", "How doubtful code is treated: off, warning or error (default).",
             {"off", "warning", "error"}, [&](const std::string& level) { options.strict = level; });
    b.flag("--no-strict-variables", "Unknown variables are undef.",
           set_flag(options.strict_variables, false));
    b.flag("--no-ruby", "Starts no Ruby: functions and ERB templates that are not native are errors.",
           set_flag(options.ruby, false));
    b.text("--set", "KEY=VALUE", "A setting of the language, such as digest_algorithm; may be repeated.",
           [&](const std::string& setting) {
               const std::size_t equals = setting.find('=');
               if (equals == std::string::npos || equals == 0) {
                   throw Error("bolt/cli-error",
                               "A setting must be given as 'KEY=VALUE', which '" + setting + "' is not");
               }
               options.settings.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
           });
}

void add_language_display_options(OptionBuilder& b, LanguageOptions& options) {
    b.heading("Display options");
    b.choice("--format", "FORMAT", "Output format: human or json; for parse also pn.",
             {"human", "json", "pn"}, [&](const std::string& format) { options.format = format; });
    b.choice(
        "--log-format", "FORMAT",
        "With json, standard error has one JSON object a line, and the result of --format json stands alone.",
        {"human", "json"}, [&](const std::string& format) { options.log_format = format; });
    b.choice("--log-level", "LEVEL", "Least important messages to show (default notice).",
             {"debug", "info", "notice", "warning", "err", "alert", "emerg", "crit"},
             keep_text(options.log_level));
    b.text("--output", "DIR", "Where the catalogs of many nodes are written: DIR/NODE.json.",
           keep_text(options.output));
    b.flag("--html", "Write a page for a browser.", set_flag(options.html));
    b.flag("-h,--help", "Show help.", set_flag(options.help));
}

struct LanguageOptionReader {
    LanguageOptionReader() : reader(ParserHost{}) {
        add_code_options(reader.builder(), options);
        add_node_and_environment_options(reader.builder(), options);
        add_language_display_options(reader.builder(), options);
    }
    LanguageOptions options;
    OptionReader reader;
};

}  // namespace

std::span<const OptionInfo> language_options() {
    static const LanguageOptionReader declared;
    return declared.reader.options();
}

LanguageOptions read_language_options(std::span<const std::string> arguments) {
    LanguageOptionReader declared;
    declared.options.files = declared.reader.read(arguments);
    return std::move(declared.options);
}

}  // namespace volley::cli
