#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "planner/module_install/puppetfile.hpp"
#include "planner/module_install/sources/forge.hpp"
#include "planner/module_install/sources/git_repository.hpp"

namespace volley::modules {

/// Where modules come from, for one run: what has been fetched is not fetched again.
class ModuleSources {
public:
    explicit ModuleSources(SourceSettings settings) : settings_(std::move(settings)) {}

    /// Throws Error bolt/validation-error for settings that cannot be.
    Forge& forge();
    GitRepository& repository(const std::string& url);

    /// The commit that a spec's ref is at the moment, and what its metadata.json says there (the version is
    /// 0.0.0 when it says none). Throws Error bolt/missing-module-metadata-error, bolt/git-error.
    struct GitModule {
        std::string commit;
        Release release;
    };
    const GitModule& git_module(const ModuleSpec& spec);

private:
    SourceSettings settings_;
    std::unique_ptr<Forge> forge_;
    std::map<std::string, std::unique_ptr<GitRepository>> repositories_;
    std::map<std::pair<std::string, std::string>, GitModule> git_modules_;
};

/// MGT-004: the exact modules that the specs and their dependencies need. Specs that are not to be resolved
/// come last, as they are. Throws Error bolt/module-resolver-error, bolt/module-name-conflict-error,
/// bolt/missing-module-metadata-error, bolt/duplicate-spec-name-error.
Puppetfile resolve_modules(const std::vector<ModuleSpec>& specs, ModuleSources& sources);

}  // namespace volley::modules
