#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "inventory/project/project.hpp"

namespace volley::cli {

/// The name of the plan in a file: below plans/ of the project by its place, elsewhere by the file's own
/// name. Throws Error bolt/validation-error when that is not a plan's name, or the file does not end in .pp.
std::string plan_name_of_file(const std::filesystem::path& file, const inventory::Project& project);

/// A plan that does what the inputs do, one after the other. Where they use the console's $targets, its
/// parameter `nodes` is what they are made of. No input may define anything: a plan cannot.
std::string plan_text(const std::string& name, const std::vector<std::string>& inputs);

}  // namespace volley::cli
