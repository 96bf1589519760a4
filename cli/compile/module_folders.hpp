#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support/json/json.hpp"

namespace volley::cli {

/// What is wrong with a folder of modules: it is not there, or it or modules in it cannot be read. A line for
/// each.
std::vector<std::string> unreadable_module_folders(const std::filesystem::path& folder);

/// The facts of this machine, from the program facter, with those of the modules in the folders (lib/facter
/// and facts.d). Throws Error when there is no such program or it fails.
Json facts_of_this_machine(const std::vector<std::filesystem::path>& module_folders);

}  // namespace volley::cli
