#include "apply/agent/facts/legacy.hpp"

#include <nlohmann/json.hpp>

#include "apply/agent/facts/facts.hpp"
#include "apply/agent/facts/system/system.hpp"
#include "apply/facts/legacy_names.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

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
        for (const auto& [old_name, key] : interface_facts) {
            const auto value = interface.find(key);
            if (value != interface.end()) legacy[std::string(old_name) + "_" + name] = *value;
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
        for (const auto& [ending, key] : device_facts) {
            const auto value = disk.find(key);
            if (value != disk.end()) legacy["blockdevice_" + name + "_" + std::string(ending)] = *value;
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
        legacy.erase(name);
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
    for (const auto& [name, place] : moved_facts) {
        const Json* value = fact_at(facts, place);
        if (value != nullptr && !value->is_null()) legacy[std::string(name)] = *value;
    }
    for (const auto& [name, place] : megabyte_facts) {
        const Json* bytes = fact_at(facts, place);
        if (bytes != nullptr && bytes->is_number())
            legacy[std::string(name)] = bytes->get<double>() / (1024.0 * 1024.0);
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
