#include "apply/agent/facts/legacy.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "apply/agent/facts/facts.hpp"
#include "apply/agent/facts/system/system.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

struct LegacyRow {
    const char *name, *path;
    bool megabytes = false;  // of a fact in bytes
};
constexpr std::array<LegacyRow, 65> legacy_rows = {{
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
    {"lsbdistrelease", "os.distro.release.full"},
    {"lsbmajdistrelease", "os.distro.release.major"},
    {"lsbminordistrelease", "os.distro.release.minor"},
    {"lsbrelease", "os.distro.specification"},
    {"macaddress", "networking.mac"},
    {"manufacturer", "dmi.manufacturer"},
    {"memoryfree", "memory.system.available"},
    {"memoryfree_mb", "memory.system.available_bytes", true},
    {"memorysize", "memory.system.total"},
    {"memorysize_mb", "memory.system.total_bytes", true},
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
    {"swapfree_mb", "memory.swap.available_bytes", true},
    {"swapsize", "memory.swap.total"},
    {"swapsize_mb", "memory.swap.total_bytes", true},
    {"uptime", "system_uptime.uptime"},
    {"uptime_days", "system_uptime.days"},
    {"uptime_hours", "system_uptime.hours"},
    {"uptime_seconds", "system_uptime.seconds"},
    {"uuid", "dmi.product.uuid"},
}};

/// Of each interface: the beginning of the legacy name, and the key of the interface.
struct PerInterface {
    const char *name, *key;
};
constexpr std::array<PerInterface, 9> per_interface = {{{"ipaddress_", "ip"},
                                                        {"ipaddress6_", "ip6"},
                                                        {"macaddress_", "mac"},
                                                        {"mtu_", "mtu"},
                                                        {"netmask_", "netmask"},
                                                        {"netmask6_", "netmask6"},
                                                        {"network_", "network"},
                                                        {"network6_", "network6"},
                                                        {"scope6_", "scope6"}}};

std::vector<std::string> keys_in(const Json* object) {
    std::vector<std::string> keys;
    if (object == nullptr || !object->is_object()) return keys;
    for (const auto& [key, value] : object->items()) keys.push_back(key);
    return keys;
}

void add_interfaces(const Json& facts, Json& legacy) {
    const Json* interfaces = fact_at(facts, "networking.interfaces");
    std::vector<std::string> names = keys_in(interfaces);
    if (names.empty()) return;
    const Json* main = fact_at(facts, "networking.dhcp");
    legacy["dhcp_servers"] = Json{{"system", main == nullptr ? Json() : *main}};
    for (const auto& [name, interface] : interfaces->items()) {
        for (const PerInterface& row : per_interface) {
            const auto value = interface.find(row.key);
            if (value != interface.end()) legacy[row.name + name] = *value;
        }
        if (const auto server = interface.find("dhcp"); server != interface.end())
            legacy["dhcp_servers"][name] = *server;
    }
    std::sort(names.begin(), names.end());
    legacy["interfaces"] = join(names, ",");
}

void add_disks(const Json& facts, Json& legacy) {
    const Json* disks = fact_at(facts, "disks");
    const std::vector<std::string> names = keys_in(disks);
    if (names.empty()) return;
    legacy["blockdevices"] = join(names, ",");
    for (const auto& [name, disk] : disks->items()) {
        for (const auto& [ending, key] :
             {std::pair("_model", "model"), {"_size", "size_bytes"}, {"_vendor", "vendor"}}) {
            const auto value = disk.find(key);
            if (value != disk.end()) legacy["blockdevice_" + name + ending] = *value;
        }
    }
}

void add_keys(const Json& facts, Json& legacy) {
    const Json* keys = fact_at(facts, "ssh");
    for (const std::string& name : keys_in(keys)) {
        const Json& prints = (*keys)[name]["fingerprints"];
        legacy["sshfp_" + name] =
            prints["sha1"].get<std::string>() + "\n" + prints["sha256"].get<std::string>();
    }
}

/// These are always what lsb_release says, even where the structured fact is not.
void add_lsb(const FactHost& host, const Json& facts, Json& legacy) {
    const ReleaseFields lsb = lsb_fields(host);
    for (const auto& [name, key] : {std::pair("lsbdistcodename", "codename"),
                                    {"lsbdistdescription", "description"},
                                    {"lsbdistid", "distributor_id"}}) {
        if (const auto value = lsb.find(key); value != lsb.end()) legacy[name] = value->second;
    }
    const Json* name = fact_at(facts, "os.name");
    if (name == nullptr || *name != "Ubuntu") return;
    // There it has two numbers, and the structured fact has only one release.
    for (const char* row : {"lsbdistrelease", "lsbmajdistrelease", "lsbminordistrelease"}) legacy.erase(row);
    const auto release = lsb.find("release");
    if (release == lsb.end()) return;
    const std::vector<std::string> parts = split(release->second, '.');
    legacy["lsbdistrelease"] = release->second;
    legacy["lsbmajdistrelease"] = parts.size() > 1 ? parts[0] + "." + parts[1] : parts[0];
    if (parts.size() > 2) legacy["lsbminordistrelease"] = parts[2];
}

}  // namespace

Json legacy_facts(const FactHost& host, const Json& facts) {
    Json legacy = Json::object();
    for (const LegacyRow& row : legacy_rows) {
        const Json* value = fact_at(facts, row.path);
        if (value == nullptr || value->is_null()) continue;
        legacy[row.name] = row.megabytes ? Json(value->get<double>() / (1024.0 * 1024.0)) : *value;
    }
    add_interfaces(facts, legacy);
    add_disks(facts, legacy);
    add_keys(facts, legacy);
    add_lsb(host, facts, legacy);
    if (const Json* models = fact_at(facts, "processors.models")) {
        for (std::size_t i = 0; i < models->size(); ++i)
            legacy["processor" + std::to_string(i)] = (*models)[i];
    }
    if (const Json* domains = fact_at(facts, "xen.domains"))
        legacy["xendomains"] = join(domains->get<std::vector<std::string>>(), ",");
    return legacy;
}

}  // namespace volley::agent
