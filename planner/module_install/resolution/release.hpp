#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "planner/module_install/module_name.hpp"
#include "planner/module_install/resolution/version_requirement.hpp"
#include "support/json/json.hpp"

namespace volley::modules {

/// What a module says it needs.
struct Dependency {
    ModuleName name;
    VersionRequirement range = {};
};

/// One version of a module that can be had somewhere.
struct Release {
    ModuleName name = {};
    Value version = {};
    std::vector<Dependency> dependencies = {};
    std::string file = {};    ///< where the archive is: a URL, or a path of the Forge
    std::string sha256 = {};  ///< of the archive, hex; empty when nobody knows it
    std::string md5 = {};
};

/// Knows which releases of a module there are. Used from one thread.
class ReleaseSource {
public:
    virtual ~ReleaseSource() = default;
    /// All releases, newest first, prereleases after them; none for a module that does not exist. The
    /// reference is good as long as the source. Throws Error when that cannot be found out.
    virtual const std::vector<Release>& releases(const ModuleName& name) = 0;
    /// These will be asked for next: a source that has to wait for each can fetch them together.
    virtual void expect(std::span<const ModuleName> names) { static_cast<void>(names); }
    /// Where it looks, for messages: "https://forgeapi.puppet.com".
    virtual std::string place() const = 0;
};

/// Newest first, releases before prereleases.
void sort_releases(std::vector<Release>& releases);
/// What the metadata of a module says: name, version, dependencies; `json` is an object like metadata.json.
/// nullopt when it has no usable name or version. What it wrongly says of dependencies is left out.
std::optional<Release> read_metadata(const Json& json);

}  // namespace volley::modules
