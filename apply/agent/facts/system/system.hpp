#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "apply/agent/facts/host.hpp"
#include "support/json/json.hpp"

/// What the resolvers of system/ are made of.
namespace volley::agent {

/// kernel, kernelrelease, kernelversion and kernelmajversion of what uname says.
Json kernel_of(const std::string& system, const std::string& release);

/// The fields of /etc/os-release, by their names in small letters, as Facter changes them: `name` is a word
/// or two, `version_id` has a point.
using ReleaseFields = std::map<std::string, std::string>;
ReleaseFields release_fields(std::string_view text);
/// What `lsb_release -a` prints: "description", "codename", ...; empty where there is no such program.
ReleaseFields lsb_fields(const FactHost& host);
void begin_lsb_fields(const FactHost& host);  ///< starts that program
/// `os` without selinux. `machine`: as uname says it, "x86_64".
Json os_on(const FactHost& host, const std::string& machine);
/// {"full", "major", "minor"} of "12.11".
Json release_parts(const std::string& version);

/// `os.selinux`.
Json selinux_on(const FactHost& host);

/// `system_uptime` of seconds.
Json uptime_of(std::uint64_t seconds);
/// `load_averages` of /proc/loadavg; empty when that is not what it should be.
Json load_averages_of(std::string_view text);
/// "ext4,xfs" of /proc/filesystems.
std::string filesystems_of(std::string_view text);

/// `ssh`: one line of a public key file; empty for what is not one.
Json ssh_key_of(std::string_view line);

}  // namespace volley::agent
