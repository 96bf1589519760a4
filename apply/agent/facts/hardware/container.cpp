#include "apply/agent/facts/hardware/hardware.hpp"
#include "support/text.hpp"

namespace volley::agent {

Container container_of(std::string_view cgroup, std::string_view environment, std::string_view machine_id) {
    constexpr std::string_view docker = "docker/";
    Container box;
    for (const std::string& line : split(cgroup, '\n')) {
        const std::size_t at = line.find(docker);
        if (at == std::string::npos || at + docker.size() >= line.size()) continue;
        box = {"docker", "id", line.substr(at + docker.size())};
        break;
    }
    for (const std::string& variable : split(environment, '\0')) {
        if (variable.starts_with("container=lxc")) box.kind = "lxc", box.key = "name";
    }
    if (!box.kind.empty()) return box;
    for (const std::string& variable : split(environment, '\0')) {
        if (variable.starts_with("container=systemd-nspawn"))
            return {"systemd_nspawn", "id", std::string(trim(machine_id))};
    }
    return box;
}

Container container_on(const FactHost& host) {
    // Facter looks at neither when it may not read both.
    const auto cgroup = host.read("/proc/1/cgroup");
    const auto environment = host.read("/proc/1/environ");
    if (!cgroup || !environment) return {};
    return container_of(*cgroup, *environment, host.word("/etc/machine-id"));
}

}  // namespace volley::agent
