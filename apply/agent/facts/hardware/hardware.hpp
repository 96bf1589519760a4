#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apply/agent/facts/host.hpp"
#include "support/json/json.hpp"

/// What the resolvers of hardware/ are made of: each function turns text of the kernel or of a program into
/// facts, so that tables test it.
namespace volley::agent {

/// `memory` of /proc/meminfo.
Json memory_of(std::string_view meminfo);

/// The part of `processors` that /proc/cpuinfo has; physicalcount only when it says.
Json processors_of(std::string_view cpuinfo);
/// How many CPUs a list of the kernel names: 5 for "0-3,8".
std::size_t cpus_in(std::string_view list);

/// A line of /proc/self/mounts.
struct Mount {
    std::string device, path, filesystem;
    std::vector<std::string> options;
};
/// Those that facts have: no autofs, and below /proc and /sys only tmpfs.
std::vector<Mount> mounts_of(std::string_view text);
/// Mounts with /dev/root replaced by what the kernel was started with.
std::vector<Mount> mounts_on(const FactHost& host);

/// What blkid or `lsblk -P` prints about devices: device, then KEY="value" pairs.
using DeviceTags = std::vector<std::pair<std::string, std::string>>;
DeviceTags tags_in(std::string_view text);
std::string tag_named(const DeviceTags& tags, std::string_view name);  ///< empty when it is not there

/// A file of /sys/class/dmi/id, without blanks at its ends; nullopt when it is empty or not there.
std::optional<std::string> dmi_field(const FactHost& host, std::string_view name);
/// "Laptop" of "9"; nullopt when the number stands for nothing.
std::optional<std::string> chassis_name(std::string_view number);

/// The container that the machine is, when it is one.
struct Container {
    std::string kind;        ///< docker, lxc, systemd_nspawn; empty for none
    std::string key, value;  ///< what identifies it: id or name; empty when unknown
};
Container container_of(std::string_view cgroup, std::string_view environment, std::string_view machine_id);
Container container_on(const FactHost& host);
/// What Facter calls a hypervisor, of what the program virt-what prints; empty when it says nothing.
std::string hypervisor_of_virt_what(std::string_view output);
/// Facter's name for a product of the firmware; empty when it is not that of a hypervisor.
std::string hypervisor_of_product(std::string_view product);

}  // namespace volley::agent
