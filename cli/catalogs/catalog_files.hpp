#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "cli/compile/run.hpp"
#include "support/json/json.hpp"

namespace volley::cli {

/// Reads a catalog in JSON; "-" is standard input. `{"catalog": ...}` around it is taken away. Throws Error,
/// which names the file, also when it holds something else.
Json read_catalog(const std::filesystem::path& file);
/// The *.json files of a folder, sorted. Throws Error when it cannot be read.
std::vector<std::filesystem::path> json_files(const std::filesystem::path& folder);

/// run_language_verb() for the verbs that work on catalogs in files: what cannot be done is printed on
/// standard error and ends with status 2.
int run_catalog_tool(const Verb& verb, std::span<const std::string> words, Console& console,
                     const inventory::ProcessContext& process, LanguageAction action);

}  // namespace volley::cli
