#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/options/option_info.hpp"
#include "cli/options/options.hpp"

namespace volley::cli {

struct Verb;

/// An action of a recorded run that started on these targets, without an outcome in the record.
struct UnknownOutcomes {
    std::string action;
    std::string description;
    std::vector<std::string> targets;
};
/// The recorded run that a command goes on with.
struct ResumedRun {
    std::string id;                        ///< empty: none
    std::vector<UnknownOutcomes> unknown;  ///< what is not run again; a plan finds out for itself
};

/// A command line that has been read and checked: what to do, and how.
struct CommandLine {
    const Verb* verb = nullptr;
    std::optional<std::string>
        object;  ///< first word after the verb: command, script, task, source, topic ...
    std::vector<std::string> leftovers;  ///< the words after it: script arguments, destination ...
    std::vector<std::pair<std::string, std::string>> params;  ///< "name=value" words of task run (ARG-006)
    Options options;
    ResumedRun resumes;

    /// Shown unless switched off; plans start out quiet (OPT-040).
    bool verbose() const;
};

/// Throws Error bolt/cli-error when help is wanted of an action that a command does not have, or of a word
/// that is like a command. A word like nothing is left to the general help, which lists the commands
/// (CLI-019).
void check_help_words(const std::string& noun, const std::string& action,
                      std::span<const OptionInfo> options);

/// Sorts the words after the options out and checks them (CLI-001 to CLI-021, ARG-003, ARG-004).
/// `read_argument`: the @file and - rule, for the command of `command run`.
/// `known`: the options that there are, for suggestions. Throws Error bolt/cli-error.
CommandLine read_command_line(std::vector<std::string> words, Options options,
                              const std::function<std::string(const std::string&)>& read_argument,
                              std::span<const OptionInfo> known = {});

}  // namespace volley::cli
