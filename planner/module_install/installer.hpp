#pragma once

#include <filesystem>

#include "planner/module_install/puppetfile.hpp"
#include "planner/module_install/resolution/resolver.hpp"

namespace volley::modules {

struct InstallReport {
    std::size_t installed = 0;  ///< new ones and replaced ones
    std::size_t kept = 0;       ///< were there already
    std::size_t removed = 0;    ///< that the Puppetfile does not name
};

/// MGT-010: makes the folder `modules` hold what the Puppetfile names and nothing else (hidden files stay).
/// Everything that is missing is fetched first, several at once, into a folder beside; only when all of it is
/// there are modules replaced, each by renaming. Two installs into one folder wait for each other. Throws
/// Error bolt/puppetfile-error; nothing has changed then, but for an error while renaming.
InstallReport install_modules(const Puppetfile& puppetfile, const std::filesystem::path& modules,
                              ModuleSources& sources);

}  // namespace volley::modules
