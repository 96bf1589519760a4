#include "cli/language/options.hpp"

#include <algorithm>
#include <functional>

#include "cli/options/normaliser.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

struct LanguageOption {
    OptionInfo info;
    std::function<void(LanguageOptions&, const std::string&)> set;
};

using OptionalText = std::optional<std::string> LanguageOptions::*;
using Flag = bool LanguageOptions::*;

/// The declarations, gathered group by group.
class LanguageOptionList {
public:
    void heading(std::string group) { group_ = std::move(group); }

    LanguageOption& option(std::string name, std::string value_name, std::string description,
                           std::function<void(LanguageOptions&, const std::string&)> set) {
        LanguageOption& added = options_.emplace_back();
        added.info.name = std::move(name);
        added.info.value_name = std::move(value_name);
        added.info.description = std::move(description);
        added.info.group = group_;
        added.set = std::move(set);
        return added;
    }
    void text(std::string name, std::string value_name, std::string description, OptionalText member) {
        option(std::move(name), std::move(value_name), std::move(description),
               [member](LanguageOptions& options, const std::string& value) { options.*member = value; });
    }
    void flag(std::string name, std::string description, Flag member, bool value = true) {
        option(std::move(name), "", std::move(description),
               [member, value](LanguageOptions& options, const std::string&) { options.*member = value; });
    }
    /// One of a few words.
    void choice(std::string name, std::string value_name, std::string description,
                std::vector<std::string> choices,
                std::function<void(LanguageOptions&, const std::string&)> set) {
        const auto checked = [name, choices, set = std::move(set)](LanguageOptions& options,
                                                                   const std::string& value) {
            if (std::find(choices.begin(), choices.end(), value) == choices.end()) {
                throw Error("bolt/cli-error", "Invalid value '" + value + "' of option '--" + name +
                                                  "': use one of " + join(choices, ", "));
            }
            set(options, value);
        };
        option(name, std::move(value_name), std::move(description), checked).info.choices = choices;
    }
    std::vector<LanguageOption> take() { return std::move(options_); }

private:
    std::string group_;
    std::vector<LanguageOption> options_;
};

void add_code_options(LanguageOptionList& list) {
    list.heading("Code options");
    list.option("execute", "CODE", "Code to work on; may be repeated.",
                [](LanguageOptions& options, const std::string& value) { options.code.push_back(value); })
        .info.letter = 'e';
    list.text("manifest", "FILE", "A manifest to evaluate before the code.", &LanguageOptions::manifest);
    list.text("file-name", "NAME", "What -e code and standard input are called in messages.",
              &LanguageOptions::file_name);
    list.flag("script", "Evaluate without a catalog: no resources, and no functions of plans.",
              &LanguageOptions::script);
    list.flag("epp", "The code is an EPP template.", &LanguageOptions::epp);
    list.flag("batch", "Answer requests, one JSON object a line, from standard input.",
              &LanguageOptions::batch);
    list.flag("no-validate", "Check the syntax only.", &LanguageOptions::validate, false);
    list.flag("all-resources", "Virtual resources, and exported ones that nothing collects, are part of the catalog.", &LanguageOptions::all_resources);
    list.text("from", "REVISION", "The git revision before: code is read from it.", &LanguageOptions::from);
    list.text("to", "REVISION", "The git revision after (default: the files as they are).",
              &LanguageOptions::to);
    list.flag("tasks", "Plans are part of the language: plan and apply are keywords.",
              &LanguageOptions::tasks);
}

void add_node_options(LanguageOptionList& list) {
    list.heading("Node options");
    list.text("node", "NAME", "Certname of the node (default: the fact fqdn, else this machine's name).",
              &LanguageOptions::node);
    list.text("facts", "FILE",
              "Facts: a JSON object, '-' for standard input; or for many nodes a folder of NODE.json.",
              &LanguageOptions::facts);
    list.flag("facter", "Take the facts of this machine, those of the modules too, from the program facter.",
              &LanguageOptions::facter);
    list.text("trusted", "FILE", "The variable $trusted: a JSON object.", &LanguageOptions::trusted);
    list.text("vars", "FILE", "Variables of the top scope: a hash as rich data in JSON.",
              &LanguageOptions::vars);
    list.text(
        "classes", "FILE",
        "Classes that a node classifier gives: a JSON list of names, or an object of class to parameters.",
        &LanguageOptions::classes);
}

void add_environment_options(LanguageOptionList& list) {
    list.heading("Environment options");
    list.option("environment", "NAME", "Name of the environment (default production).",
                [](LanguageOptions& options, const std::string& value) { options.environment = value; });
    list.text("environmentpath", "DIR", "Folders that hold environments, separated by ':'.",
              &LanguageOptions::environmentpath);
    list.text("modulepath", "MODULES", "Folders that hold modules, separated by ':'.",
              &LanguageOptions::modulepath);
    list.text("hiera-config", "PATH", "Hiera configuration above those of environment and modules.",
              &LanguageOptions::hiera_config);
    list.choice("strict", "LEVEL", "What doubtful code is: off, warning or error (default).",
                {"off", "warning", "error"},
                [](LanguageOptions& options, const std::string& value) { options.strict = value; });
    list.flag("no-strict-variables", "Unknown variables are undef.", &LanguageOptions::strict_variables,
              false);
    list.flag("no-ruby", "Starts no Ruby: functions and ERB templates that are not native are errors.", &LanguageOptions::ruby, false);
    list.option("set", "KEY=VALUE", "A setting of the language, such as digest_algorithm; may be repeated.",
                [](LanguageOptions& options, const std::string& value) {
                    const std::size_t equals = value.find('=');
                    if (equals == std::string::npos || equals == 0) {
                        throw Error("bolt/cli-error",
                                    "A setting must be given as 'KEY=VALUE', which '" + value + "' is not");
                    }
                    options.settings.emplace_back(value.substr(0, equals), value.substr(equals + 1));
                });
}

void add_language_display_options(LanguageOptionList& list) {
    list.heading("Display options");
    list.choice("format", "FORMAT", "Output format: human or json; for parse also pn.",
                {"human", "json", "pn"},
                [](LanguageOptions& options, const std::string& value) { options.format = value; });
    list.choice(
        "log-format", "FORMAT",
        "With json, standard error has one JSON object a line, and the result of --format json stands alone.",
        {"human", "json"},
        [](LanguageOptions& options, const std::string& value) { options.log_format = value; });
    list.choice("log-level", "LEVEL", "Least important messages to show (default notice).",
                {"debug", "info", "notice", "warning", "err", "alert", "emerg", "crit"},
                [](LanguageOptions& options, const std::string& value) { options.log_level = value; });
    list.text("output", "DIR", "Where the catalogs of many nodes are written: DIR/NODE.json.",
              &LanguageOptions::output);
    list.flag("html", "Write a page for a browser.", &LanguageOptions::html);
    list.option("help", "", "Show help.",
                [](LanguageOptions& options, const std::string&) { options.help = true; })
        .info.letter = 'h';
}

const std::vector<LanguageOption>& declared_language_options() {
    static const std::vector<LanguageOption> options = [] {
        LanguageOptionList list;
        add_code_options(list);
        add_node_options(list);
        add_environment_options(list);
        add_language_display_options(list);
        return list.take();
    }();
    return options;
}

}  // namespace

std::span<const OptionInfo> language_options() {
    static const std::vector<OptionInfo> infos = [] {
        std::vector<OptionInfo> all;
        for (const LanguageOption& option : declared_language_options()) all.push_back(option.info);
        return all;
    }();
    return infos;
}

LanguageOptions read_language_options(std::span<const std::string> arguments) {
    LanguageOptions options;
    Normalised normalised = normalise(arguments, language_options());
    const auto& declared = declared_language_options();
    for (std::size_t i = 0; i < normalised.options.size(); ++i) {
        const std::string name = normalised.options[i].substr(2);
        const auto option = std::find_if(declared.begin(), declared.end(),
                                         [&](const LanguageOption& one) { return one.info.name == name; });
        if (option == declared.end()) throw Error("bolt/cli-error", "Unknown option '--" + name + "'");
        option->set(options, option->info.takes_value() ? normalised.options[++i] : std::string());
    }
    options.files = std::move(normalised.words);
    return options;
}

}  // namespace volley::cli
