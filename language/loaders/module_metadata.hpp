#pragma once

#include <filesystem>
#include <string>

namespace volley {

struct ModuleMetadata {
    std::string fault;    ///< what is wrong, in Puppet's words; such a module is not used
    std::string warning;  ///< about a data provider that nobody asks any more
};

/// What metadata.json of the module in `folder` says. Both are empty when all is well or there is no such
/// file. Never throws.
ModuleMetadata check_module_metadata(const std::string& module, const std::filesystem::path& folder);

}  // namespace volley
