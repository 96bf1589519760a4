#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/completion/project_names.hpp"
#include "cli/options/option_info.hpp"

namespace volley::cli {

/// What may follow on a command line.
struct Completions {
    std::string kept;       ///< the part of the word that stays, such as "web1," or "--format="
    std::string typed;      ///< the whole word so far
    bool files = false;     ///< after `kept`, the shell completes paths
    Candidates candidates;  ///< each goes after `kept`, and begins as what was typed there
};

/// `words`: those after the name of the program, the last of which is being typed. `options`: the shared
/// ones.
Completions complete(std::span<const std::string> words, std::span<const OptionInfo> options,
                     const inventory::ProcessContext& process);

/// The words of an Enum in the text of a type, "true" and "false" of a Boolean.
std::vector<std::string> values_of_type(std::string_view type);

/// For the functions that shells have (cli/help/completions.cpp): `kept`, `typed`, "files" or "words", then a
/// candidate a line with its description after a tab.
std::string completions_text(const Completions& completions);

}  // namespace volley::cli
