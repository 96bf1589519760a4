#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "planner/results/result.hpp"

namespace volley::planner {

/// The names in a rerun file with the status asked for: "all", "failure" or "success" (ARG-010).
/// Throws Error bolt/cli-error for another word, bolt/file-error when the file is missing or malformed.
std::vector<std::string> read_rerun(const std::filesystem::path& file, const std::string& which);
/// Why read_rerun() returned no name, as a sentence for the user.
std::string explain_empty_rerun(const std::filesystem::path& file, const std::string& which);
/// Replaces the file, which only its owner can read and which holds no passwords of URIs. When it cannot be
/// replaced, only warns (`unwriteable_file`, ARG-011) and takes away what an earlier run has left.
void write_rerun(const std::filesystem::path& file, const ResultSet& results);

}  // namespace volley::planner
