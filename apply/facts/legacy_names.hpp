#pragma once

#include <array>
#include <string_view>
#include <utility>

/// The names that facts had before Facter 3, which manifests still use, and where they are now.
namespace volley {

using LegacyName = std::pair<std::string_view, std::string_view>;

/// Facts that only moved: the old name and the new place.
inline constexpr auto moved_facts = std::to_array<LegacyName>({
    {"architecture", "os.architecture"},
    {"augeasversion", "augeas.version"},
    {"bios_release_date", "dmi.bios.release_date"},
    {"bios_vendor", "dmi.bios.vendor"},
    {"bios_version", "dmi.bios.version"},
    {"boardassettag", "dmi.board.asset_tag"},
    {"boardmanufacturer", "dmi.board.manufacturer"},
    {"boardproductname", "dmi.board.product"},
    {"boardserialnumber", "dmi.board.serial_number"},
    {"chassisassettag", "dmi.chassis.asset_tag"},
    {"chassistype", "dmi.chassis.type"},
    {"domain", "networking.domain"},
    {"fqdn", "networking.fqdn"},
    {"gid", "identity.group"},
    {"hardwareisa", "processors.isa"},
    {"hardwaremodel", "os.hardware"},
    {"hostname", "networking.hostname"},
    {"id", "identity.user"},
    {"ipaddress", "networking.ip"},
    {"ipaddress6", "networking.ip6"},
    {"lsbdistcodename", "os.distro.codename"},
    {"lsbdistdescription", "os.distro.description"},
    {"lsbdistid", "os.distro.id"},
    {"lsbdistrelease", "os.distro.release.full"},
    {"lsbmajdistrelease", "os.distro.release.major"},
    {"lsbminordistrelease", "os.distro.release.minor"},
    {"lsbrelease", "os.distro.specification"},
    {"macaddress", "networking.mac"},
    {"macosx_buildversion", "os.macosx.build"},
    {"macosx_productname", "os.macosx.product"},
    {"macosx_productversion", "os.macosx.version.full"},
    {"macosx_productversion_major", "os.macosx.version.major"},
    {"macosx_productversion_minor", "os.macosx.version.minor"},
    {"manufacturer", "dmi.manufacturer"},
    {"memoryfree", "memory.system.available"},
    {"memorysize", "memory.system.total"},
    {"netmask", "networking.netmask"},
    {"netmask6", "networking.netmask6"},
    {"network", "networking.network"},
    {"network6", "networking.network6"},
    {"operatingsystem", "os.name"},
    {"operatingsystemmajrelease", "os.release.major"},
    {"operatingsystemrelease", "os.release.full"},
    {"osfamily", "os.family"},
    {"physicalprocessorcount", "processors.physicalcount"},
    {"processorcount", "processors.count"},
    {"productname", "dmi.product.name"},
    {"rubyplatform", "ruby.platform"},
    {"rubysitedir", "ruby.sitedir"},
    {"rubyversion", "ruby.version"},
    {"scope6", "networking.scope6"},
    {"selinux", "os.selinux.enabled"},
    {"selinux_config_mode", "os.selinux.config_mode"},
    {"selinux_config_policy", "os.selinux.config_policy"},
    {"selinux_current_mode", "os.selinux.current_mode"},
    {"selinux_enforced", "os.selinux.enforced"},
    {"selinux_policyversion", "os.selinux.policy_version"},
    {"serialnumber", "dmi.product.serial_number"},
    {"sshdsakey", "ssh.dsa.key"},
    {"sshecdsakey", "ssh.ecdsa.key"},
    {"sshed25519key", "ssh.ed25519.key"},
    {"sshrsakey", "ssh.rsa.key"},
    {"swapfree", "memory.swap.available"},
    {"swapsize", "memory.swap.total"},
    {"system32", "os.windows.system32"},
    {"uptime", "system_uptime.uptime"},
    {"uptime_days", "system_uptime.days"},
    {"uptime_hours", "system_uptime.hours"},
    {"uptime_seconds", "system_uptime.seconds"},
    {"uuid", "dmi.product.uuid"},
});

/// Sizes that are in MiB under their old name.
inline constexpr auto megabyte_facts =
    std::to_array<LegacyName>({{"memoryfree_mb", "memory.system.available_bytes"},
                               {"memorysize_mb", "memory.system.total_bytes"},
                               {"swapfree_mb", "memory.swap.available_bytes"},
                               {"swapsize_mb", "memory.swap.total_bytes"}});

/// Of each interface: what its old names begin with, and the key of the interface.
inline constexpr auto interface_facts = std::to_array<LegacyName>({{"ipaddress", "ip"},
                                                                   {"ipaddress6", "ip6"},
                                                                   {"macaddress", "mac"},
                                                                   {"mtu", "mtu"},
                                                                   {"netmask", "netmask"},
                                                                   {"netmask6", "netmask6"},
                                                                   {"network", "network"},
                                                                   {"network6", "network6"},
                                                                   {"scope6", "scope6"}});

/// Of each disk: what its old names end with, and the key of the disk.
inline constexpr auto device_facts =
    std::to_array<LegacyName>({{"model", "model"}, {"size", "size_bytes"}, {"vendor", "vendor"}});

}  // namespace volley
