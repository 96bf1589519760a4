#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apply/agent/facts/host.hpp"
#include "support/json/json.hpp"

namespace volley::agent {

/// The version of Facter whose facts these are.
inline constexpr const char* facter_version = "4.3.0";

class ModuleFacts;

struct FactRequest {
    /// "os", "os.release.full", "osfamily"; none: all facts.
    std::vector<std::string> names;
    bool legacy = false;  ///< of all facts those, too, that Facter hides ("osfamily")
    bool stdlib = false;  ///< those, too, that the module stdlib finds (stdlib_facts())
    /// Folders of external facts that come before those of Facter and Puppet.
    std::vector<std::string> external_folders;
    bool no_external = false;
    ModuleFacts* modules = nullptr;  ///< those of modules, too; with names everything is found out then
};

/// In words for people.
struct FactMessages {
    std::vector<std::string> warnings;  ///< what could not be read
    std::vector<std::string> notes;     ///< what is not there, and that is as it should be
};

struct FoundFacts {
    std::string json;  ///< an object whose keys are sorted, without a line's end
    FactMessages messages;
};

/// Facts as `facter --json` prints them. With names each name is a key, with null for what the machine does
/// not have; else all facts that it has. External facts replace others of their name; those that modules
/// define in Ruby replace what their weight allows. A fact that cannot be found out is left out and warned
/// of; this does not throw for it.
FoundFacts find_facts(const FactHost& host, const FactRequest& request);

/// The value at "os.release.full" or "mountpoints./.size"; nullptr when there is none. Keys may hold points.
const Json* fact_at(const Json& facts, std::string_view path);

}  // namespace volley::agent
