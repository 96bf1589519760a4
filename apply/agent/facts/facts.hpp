#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apply/agent/facts/host.hpp"
#include "support/json.hpp"

namespace volley::agent {

/// The version of Facter whose facts these are.
inline constexpr const char* facter_version = "4.3.0";

struct FactRequest {
    /// "os", "os.release.full", "osfamily"; none: all facts.
    std::vector<std::string> names;
    bool legacy = false;  ///< of all facts those, too, that Facter hides ("osfamily")
    /// Folders of external facts that come before those of Facter and Puppet.
    std::vector<std::string> external_folders;
    bool no_external = false;
};

struct FoundFacts {
    std::string json;                   ///< an object whose keys are sorted, without a line's end
    std::vector<std::string> warnings;  ///< what could not be read, in words for people
};

/// Facts as `facter --json` prints them. With names each name is a key, with null for what the machine does
/// not have; else all facts that it has. External facts replace others of their name. A fact that cannot be
/// found out is left out and warned of; this does not throw for it.
FoundFacts find_facts(const FactHost& host, const FactRequest& request);

/// The value at "os.release.full" or "mountpoints./.size"; nullptr when there is none. Keys may hold points.
const Json* fact_at(const Json& facts, std::string_view path);

}  // namespace volley::agent
