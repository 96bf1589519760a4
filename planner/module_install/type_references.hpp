#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "apply/types/ruby/type_description.hpp"

namespace volley::modules {

/// MGT-012: writes a file NAME.pp into `folder` for each resource type that the modules of the modulepath
/// define in Ruby, in the format of `puppet generate types`, and removes files of types that are no longer
/// there. A type whose Ruby does not show all its attributes gets none: it is read where it is used. Returns
/// the names. Throws Error bolt/file-error.
std::vector<std::string> write_type_references(const std::vector<std::filesystem::path>& modulepath,
                                               const std::filesystem::path& folder);

/// What such a file holds.
std::string type_reference_text(const ruby_source::TypeDescription& type);

}  // namespace volley::modules
