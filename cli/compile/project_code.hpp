#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "cli/compile/options.hpp"
#include "inventory/project/project.hpp"
#include "language/loaders/disk_environment.hpp"

namespace volley::cli {

/// Where the language verbs find code and data: what the options name, and for what they leave open the
/// project that `folder` is in (its modulepath, itself as a module, its hiera.yaml). Throws Error, also for a
/// wrong project.
DiskEnvironmentOptions code_options(const LanguageOptions& options, const inventory::ProcessContext& process,
                                    const std::filesystem::path& folder);

/// What definitions in a file must be called: which modulepath it is below is what the options say, else the
/// project that the file is in. Safe to use from several threads.
class FilePlaces {
public:
    FilePlaces(const LanguageOptions& options, const inventory::ProcessContext& process)
        : options_(options), process_(process) {}

    /// CheckOptions::file_namespace of a file. Throws Error as code_options does.
    std::optional<std::string> namespace_of(const std::string& file);

private:
    std::shared_ptr<const DiskEnvironment> environment_at(const std::filesystem::path& folder);

    const LanguageOptions& options_;
    const inventory::ProcessContext& process_;
    std::mutex mutex_;
    std::map<std::filesystem::path, std::shared_ptr<const DiskEnvironment>> environments_;  // by project
};

}  // namespace volley::cli
