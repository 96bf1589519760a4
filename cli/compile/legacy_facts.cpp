#include "cli/compile/legacy_facts.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "apply/facts/client_version.hpp"
#include "apply/facts/legacy_names.hpp"
#include "language/syntax/lexer/characters.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

const Value* fact_at(const Value& facts, std::string_view place) {
    const Value* value = &facts;
    for (const std::string& part : split(place, '.')) {
        value = value->is_hash() ? value->as_hash().find(part) : nullptr;
        if (!value) return nullptr;
    }
    return value;
}

/// eth0.100 is eth0_100 in the name of a fact.
std::string name_in_facts(std::string name) {
    std::replace_if(
        name.begin(), name.end(), [](char c) { return !is_word(c); }, '_');
    return name;
}

class FactCompletion {
public:
    explicit FactCompletion(const Value& facts) : facts_(facts), all_(facts.as_hash()) {}

    void add(const std::string& name, Value value) {
        if (!facts_.as_hash().find(name)) all_.set(name, std::move(value));
    }
    void add_moved() {
        for (const auto& [name, place] : moved_facts) {
            if (const Value* value = fact_at(facts_, place)) add(std::string(name), *value);
        }
        for (const auto& [name, place] : megabyte_facts) {
            const Value* bytes = fact_at(facts_, place);
            if (bytes && bytes->is_number()) add(std::string(name), bytes->as_float() / (1024.0 * 1024.0));
        }
        if (const Value* models = fact_at(facts_, "processors.models"); models && models->is_array()) {
            const Array& list = models->as_array();
            for (std::size_t i = 0; i < list.size(); ++i) add("processor" + std::to_string(i), list[i]);
        }
    }
    /// One old fact for each part of each device below `place`, and the sorted names of the devices as
    /// `list`.
    template <class Parts, class DeviceName, class FactName>
    void add_devices(std::string_view place, std::string_view list, const Parts& parts,
                     const DeviceName& device_name, const FactName& fact_name) {
        const Value* devices = fact_at(facts_, place);
        if (!devices || !devices->is_hash()) return;
        std::vector<std::string> names;
        for (const auto& entry : devices->as_hash()) {
            if (!entry.key.is_string()) continue;
            names.push_back(device_name(entry.key.as_string()));
            for (const auto& [old_name, part] : parts) {
                if (const Value* value = fact_at(entry.value, part))
                    add(fact_name(names.back(), std::string(old_name)), *value);
            }
        }
        std::sort(names.begin(), names.end());
        add(std::string(list), join(names, ","));
    }
    void add_interfaces() {
        add_devices("networking.interfaces", "interfaces", interface_facts, name_in_facts,
                    [](const std::string& device, const std::string& part) { return part + "_" + device; });
    }
    void add_disks() {
        add_devices(
            "disks", "blockdevices", device_facts, [](const std::string& name) { return name; },
            [](const std::string& device, const std::string& part) {
                return "blockdevice_" + device + "_" + part;
            });
    }
    void add_fingerprints() {
        for (const std::string kind : {"dsa", "ecdsa", "ed25519", "rsa"}) {
            const Value* first = fact_at(facts_, "ssh." + kind + ".fingerprints.sha1");
            const Value* second = fact_at(facts_, "ssh." + kind + ".fingerprints.sha256");
            if (first && second && first->is_string() && second->is_string())
                add("sshfp_" + kind, first->as_string() + "\n" + second->as_string());
        }
    }
    /// Facts of the stdlib module that its users read, where the operating system decides them.
    void add_providers() {
        const Value* family = fact_at(facts_, "os.family");
        if (!family || !family->is_string()) return;
        const std::string& name = family->as_string();
        const Value* release = fact_at(facts_, "os.release.major");
        const std::string major = release && release->is_string() ? release->as_string() : "";
        const long number = std::strtol(major.c_str(), nullptr, 10);
        struct Row {
            std::string_view family, service, package;
            long since;  // the first release that has them; 0: all
        };
        static constexpr auto rows = std::to_array<Row>({{"Debian", "systemd", "apt", 8},
                                                         {"RedHat", "systemd", "dnf", 8},
                                                         {"RedHat", "systemd", "yum", 7},
                                                         {"Suse", "systemd", "zypper", 12},
                                                         {"Archlinux", "systemd", "pacman", 0},
                                                         {"FreeBSD", "freebsd", "pkgng", 0},
                                                         {"OpenBSD", "openbsd", "openbsd", 0},
                                                         {"Darwin", "launchd", "pkgdmg", 0},
                                                         {"windows", "windows", "windows", 0}});
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& one) {
            return one.family == name && (one.since == 0 || number >= one.since);
        });
        if (row != rows.end()) {
            add("service_provider", Value(row->service));
            add("package_provider", Value(row->package));
        }
        const Value* kernel = fact_at(facts_, "kernel");
        if (kernel && kernel->is_string() && kernel->as_string() == "Linux") add("root_home", "/root");
    }
    void add_of_agent(const std::string& node) {
        add("clientcert", node);
        add("clientversion", Value(puppet_version));
        add("clientnoop", false);
        add("puppetversion", Value(puppet_version));
    }
    Value build() { return all_.build(); }

private:
    const Value& facts_;
    HashBuilder all_;
};

}  // namespace

Value completed_facts(const Value& facts, const std::string& node) {
    if (!facts.is_hash()) return facts;
    FactCompletion completion(facts);
    completion.add_moved();
    completion.add_interfaces();
    completion.add_disks();
    completion.add_fingerprints();
    completion.add_providers();
    completion.add_of_agent(node);
    return completion.build();
}

std::optional<std::string> place_of_legacy_fact(std::string_view name) {
    const auto find = [name](const auto& table) -> std::optional<std::string> {
        const auto found = std::ranges::find(table, name, &LegacyName::first);
        return found == table.end() ? std::nullopt : std::optional(std::string(found->second));
    };
    if (auto place = find(moved_facts)) return place;
    if (auto place = find(megabyte_facts)) return place;
    for (const auto& [old_name, part] : interface_facts) {
        if (name.starts_with(old_name) && name.size() > old_name.size() + 1 && name[old_name.size()] == '_')
            return "networking.interfaces." + std::string(name.substr(old_name.size() + 1)) + "." +
                   std::string(part);
    }
    if (name == "interfaces") return "networking.interfaces";
    if (name == "blockdevices" || name.starts_with("blockdevice_")) return "disks";
    return std::nullopt;
}

}  // namespace volley::cli
