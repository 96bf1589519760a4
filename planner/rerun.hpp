#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "planner/result.hpp"

namespace volley::planner {

/// The names in a rerun file with the status asked for: "all", "failure" or "success" (ARG-010).
/// Throws Error bolt/cli-error for another word, bolt/file-error when the file is missing or malformed.
std::vector<std::string> read_rerun(const std::filesystem::path& file, const std::string& which);
/// Replaces the file. Only warns (`unwriteable_file`) when it cannot (ARG-011).
void write_rerun(const std::filesystem::path& file, const ResultSet& results);

}  // namespace volley::planner
