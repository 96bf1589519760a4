#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "apply/agent/facts/facts.hpp"
#include "apply/agent/facts/groups.hpp"
#include "apply/agent/facts/system/system.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

Json find_settings(const FactHost& host) {
    Json facts{{"facterversion", facter_version},
               {"fips_enabled", host.word("/proc/sys/crypto/fips_enabled") == "1"}};
    if (const char* path = ::getenv("PATH")) facts["path"] = scrub_utf8(path);
    if (const auto text = host.read("/proc/filesystems")) facts["filesystems"] = filesystems_of(*text);
    // The version of the package that brings Puppet, Ruby and Facter together.
    const std::string package = host.word("/opt/puppetlabs/puppet/VERSION");
    if (!package.empty()) facts["aio_agent_version"] = package.substr(0, package.find('\n'));
    return facts;
}

}  // namespace

std::string filesystems_of(std::string_view text) {
    std::vector<std::string> names;
    for (const std::string& line : split(text, '\n')) {
        // "nodev" stands before what is on no device.
        const std::string name(trim(line));
        if (!name.empty() && name.find_first_of(" \t") == std::string::npos && name != "fuseblk")
            names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return join(names, ",");
}

const FactGroup& setting_facts() {
    static const FactGroup group{
        {"facterversion", "fips_enabled", "path", "filesystems", "aio_agent_version"}, find_settings};
    return group;
}

}  // namespace volley::agent
