#pragma once

#include <filesystem>
#include <string>

namespace volley {

/// What is wrong with metadata.json of the module in `folder`, in Puppet's words; such a module is not used. Empty when
/// all is well or there is no such file. Never throws.
std::string module_metadata_fault(const std::string& module, const std::filesystem::path& folder);

}  // namespace volley
