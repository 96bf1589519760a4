#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/options/option_info.hpp"

namespace volley::inventory {
struct ProcessContext;
}

namespace volley::cli {

class Console;
class Session;
struct CommandLine;

/// One thing the program can do. Each lives in a file of cli/verbs and has one line in verbs.def.
struct Verb {
    std::string_view noun;
    std::string_view action;                    ///< empty for nouns without one, such as `guide`
    std::string_view summary;                   ///< one sentence
    std::string_view usage;                     ///< after "volley "
    std::string_view description;               ///< paragraphs
    std::string_view guide;                     ///< topic of `volley guide` about it; empty when none does
    std::string_view examples;                  ///< lines
    std::span<const std::string_view> options;  ///< long names, in any order; the global ones are added
    bool needs_targets = false;                 ///< ARG-004
    /// Runs it and returns the exit status. Throws Error. nullptr: run_alone does.
    int (*run)(Session&, const CommandLine&) = nullptr;
    /// In place of `run`, for a verb that needs no project and has options of its own: gets the words after
    /// it.
    int (*run_alone)(std::span<const std::string>, Console&, const inventory::ProcessContext&) = nullptr;
    std::span<const OptionInfo> (*own_options)() = nullptr;
    bool finds_old_projects = false;  ///< a folder with a bolt.yaml is a project for it
};

struct Noun {
    std::string_view name;
    std::string_view summary;
};

/// In alphabetical order (CLI-001).
std::span<const Noun> nouns();
const Noun* find_noun(std::string_view name);
/// Every verb of verbs.def, in that order.
std::span<const Verb* const> verbs();
/// nullptr when there is no such verb.
const Verb* find_verb(std::string_view noun, std::string_view action);

}  // namespace volley::cli
