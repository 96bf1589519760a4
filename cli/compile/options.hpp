#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/options/option_info.hpp"
#include "cli/options/options.hpp"

namespace volley::cli {

/// How the language verbs (eval, parse, validate, catalog compile) were called. They need no project and no
/// inventory, so they have options of their own.
struct LanguageOptions : NodeOptions {
    // what
    std::vector<std::string> code;   ///< -e, in order
    std::vector<std::string> files;  ///< the words after the verb
    std::optional<std::string> manifest;
    std::optional<std::string> file_name;  ///< what code without a file is called in messages
    bool script = false;
    bool epp = false;
    bool batch = false;
    bool validate = true;
    bool all_resources = false;
    bool html = false;
    std::optional<std::string> from;    ///< catalog diff: the revision before
    std::optional<std::string> to;      ///< the revision after; none: the files as they are
    std::optional<std::string> output;  ///< catalog compile: where the catalogs of many nodes go
    // how it is shown
    std::string format = "human";
    std::string log_format = "human";
    std::optional<std::string> log_level;
    // the world
    bool facter = false;  ///< facts of this machine instead
    std::optional<std::string> trusted;
    std::optional<std::string> vars;
    std::optional<std::string> classes;
    std::optional<std::string> modulepath;
    std::optional<std::string> hiera_config;
    std::string strict = "error";
    bool strict_variables = true;
    bool ruby = true;
    bool tasks = false;
    std::vector<std::pair<std::string, std::string>> settings;  ///< --set KEY=VALUE
    bool help = false;
};

/// Every option of these verbs.
std::span<const OptionInfo> language_options();

/// Reads the words after the verb. Throws Error bolt/cli-error.
LanguageOptions read_language_options(std::span<const std::string> arguments);

}  // namespace volley::cli
