#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "transports/shell/powershell/literals.hpp"
#include "transports/shell/program.hpp"

namespace volley::transports {

/// A script or task that runs from a temporary directory, with what it gets.
struct PowerShellJob {
    std::string executable;                ///< its place below the directory, '/' between
    std::vector<std::string> interpreter;  ///< words before it; empty: by its extension
    std::vector<std::string> arguments;
    std::optional<std::string> standard_input;
    std::optional<std::string> named_arguments;  ///< a JSON object: parameters of a .ps1 (PS-005)
    std::vector<std::pair<std::string, std::string>> environment;
    /// Puppet's programs and the directory's modules are there for it (PS-008).
    bool is_task = false;
};

/// The temporary directory of a job: made by the job's script, or before it.
struct PowerShellDirectory {
    std::string placeholder;            ///< stands for its path in what is made here
    std::optional<std::string> parent;  ///< the option tmpdir
    std::string name;
    std::optional<std::string> path;  ///< it is there already, with the files
    bool keep = false;
};

/// The script that makes the directory with the files in `packed` (a tar archive under gzip), runs the job
/// and removes the directory. Says "kept", "removed" and "error" between the marker's tokens (MarkedOutput).
std::string job_script(const PowerShellJob& job, const PowerShellDirectory& directory,
                       std::string_view packed, const Marker& marker);

/// "a.PS1" -> ".ps1"
std::string lower_extension(std::string_view file);
/// How a file is run by its extension (PS-003): the words before its path.
std::vector<std::string> program_for(std::string_view extension);

}  // namespace volley::transports
