#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "planner/results/result.hpp"

namespace volley::planner {

/// A target of the last run, and whether all went well there.
struct RerunTarget {
    std::string name;
    bool ok = false;
};

/// What is in a rerun file (ARG-010). Throws Error bolt/file-error when it is missing or malformed.
std::vector<RerunTarget> read_rerun(const std::filesystem::path& file);
/// The names with the status asked for: "all", "failure" or "success". Throws Error bolt/cli-error for
/// another word.
std::vector<std::string> choose_rerun(const std::vector<RerunTarget>& targets, const std::string& which);
/// Why choose_rerun() returned no name, as a sentence for the user.
std::string explain_empty_rerun(const std::vector<RerunTarget>& targets, const std::string& which);
/// Replaces the file, which only its owner can read and which holds no passwords of URIs. When it cannot be
/// replaced, only warns (`unwriteable_file`, ARG-011) and takes away what an earlier run has left.
void write_rerun(const std::filesystem::path& file, const ResultSet& results);

}  // namespace volley::planner
