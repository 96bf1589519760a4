#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace volley::agent {

/// A file of a module that facts are made of.
struct FactFile {
    std::string path;      ///< "ntp/lib/facter/ntp.rb", "ntp/facts.d/zone.sh"
    std::string checksum;  ///< SHA-256, in hexadecimal
    unsigned mode = 0644;
};

/// Contents by their checksums, of those that are asked for. Throws when one cannot be had.
using FetchContents =
    std::function<std::map<std::string, std::string>(const std::vector<std::string>& checksums)>;

/// A folder below `state_folder` with exactly these files, and with `own`, the agent's own files by name.
/// Made once and kept for later runs: then only its checksums are compared. Others that nobody has used for
/// 30 days are removed. Two runs may do this at once. Throws ApplyError for a path that leads out of the
/// folder, SystemError.
std::string code_folder(const std::string& state_folder, const std::vector<FactFile>& files,
                        const std::map<std::string, std::string>& own, const FetchContents& fetch);

}  // namespace volley::agent
