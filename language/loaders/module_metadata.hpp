#pragma once

#include <filesystem>
#include <string>

#include "language/value.hpp"

namespace volley {

struct ModuleMetadata {
    Value data;         // undef when the module has none
    std::string fault;  // what is wrong with it, in Puppet's words; the module is not used then
};

/// Reads metadata.json of the module in `folder`. Never throws.
ModuleMetadata read_module_metadata(const std::string& module, const std::filesystem::path& folder);

}  // namespace volley
