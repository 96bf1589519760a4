#include <sys/utsname.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "apply/agent/facts/groups.hpp"
#include "apply/agent/facts/network/network.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

Json binding_facts(const Binding& binding, bool six) {
    Json facts{{"address", binding.address}};
    if (binding.netmask.empty()) return facts;
    facts["netmask"] = binding.netmask;
    facts["network"] = binding.network;
    if (six) facts["scope6"] = scope_of(binding.address);
    if (binding.flags) facts["flags"] = *binding.flags;
    return facts;
}

void add_bindings(Json& facts, const std::vector<Binding>& bindings, bool six) {
    if (bindings.empty()) return;
    const std::string ending = six ? "6" : "";
    Json list = Json::array();
    for (const Binding& binding : bindings) list.push_back(binding_facts(binding, six));
    facts["bindings" + ending] = std::move(list);
    auto shown = std::find_if(bindings.begin(), bindings.end(),
                              [](const Binding& one) { return !is_local_address(one.address); });
    if (shown == bindings.end()) shown = bindings.begin();
    facts["ip" + ending] = shown->address;
    if (!shown->netmask.empty()) facts["netmask" + ending] = shown->netmask;
    if (!shown->network.empty()) facts["network" + ending] = shown->network;
    if (six) facts["scope6"] = scope_of(shown->address);
}

Json interface_facts(const Interface& interface) {
    Json facts = Json::object();
    if (!interface.mac.empty()) facts["mac"] = interface.mac;
    if (interface.mtu >= 0) facts["mtu"] = interface.mtu;
    if (!interface.dhcp.empty()) facts["dhcp"] = interface.dhcp;
    add_bindings(facts, interface.bindings, false);
    add_bindings(facts, interface.bindings6, true);
    return facts;
}

/// Addresses that only a route knows.
void add_sources(std::vector<Interface>& interfaces) {
    for (const Route& route : routes_of_kernel()) {
        for (Interface& interface : interfaces) {
            if (interface.index != route.interface) continue;
            auto& bindings =
                route.source.find(':') == std::string::npos ? interface.bindings : interface.bindings6;
            const bool known = std::any_of(bindings.begin(), bindings.end(),
                                           [&](const Binding& one) { return one.address == route.source; });
            if (!known) bindings.push_back({route.source, {}, {}, std::nullopt});
        }
    }
}

Json find_network(const FactHost& host) {
    std::vector<Interface> interfaces;
    if (host.is_running()) {
        interfaces = interfaces_of_kernel();
        add_sources(interfaces);
    }
    for (Interface& interface : interfaces) {
        interface.dhcp = dhcp_server(host, interface);
        const auto bond = host.link_name("/sys/class/net/" + interface.name + "/master");
        const auto text = bond ? host.read("/proc/net/bonding/" + *bond) : std::nullopt;
        if (std::string mac = permanent_address(text.value_or(""), interface.name); !mac.empty())
            interface.mac = std::move(mac);
    }
    add_flags(interfaces, host.read("/proc/net/if_inet6").value_or(""));
    Json networking = networking_of(interfaces, default_interface(host.read("/proc/net/route").value_or("")));
    utsname names{};
    ::uname(&names);
    const std::string node = names.nodename;
    const std::string canonical =
        node.find('.') == std::string::npos ? canonical_name(host, node) : std::string();
    networking.update(names_of(node, canonical, host.read("/etc/resolv.conf").value_or("")));
    return Json{{"networking", std::move(networking)}};
}

}  // namespace

std::string permanent_address(std::string_view bond, std::string_view interface) {
    constexpr std::string_view slave = "Slave Interface: ", address = "Permanent HW addr: ";
    bool here = false;
    for (const std::string& line : split(bond, '\n')) {
        const std::string_view text = trim(line);
        if (text.starts_with(slave)) here = text.substr(slave.size()) == interface;
        if (here && text.starts_with(address)) return std::string(text.substr(address.size()));
    }
    return {};
}

Json networking_of(const std::vector<Interface>& interfaces, std::string primary) {
    Json all = Json::object();
    const auto has_own = [](const std::vector<Binding>& bindings) {
        return std::any_of(bindings.begin(), bindings.end(),
                           [](const Binding& one) { return !is_local_address(one.address); });
    };
    for (const Interface& interface : interfaces) {
        all[interface.name] = interface_facts(interface);
        if (primary.empty() && (has_own(interface.bindings) || has_own(interface.bindings6)))
            primary = interface.name;
    }
    Json networking = Json::object();
    if (const auto main = all.find(primary); main != all.end()) {
        for (const auto& [key, value] : main->items()) {
            if (!key.starts_with("bindings")) networking[key] = value;
        }
    }
    if (!primary.empty()) networking["primary"] = primary;
    if (!all.empty()) networking["interfaces"] = std::move(all);
    return networking;
}

const FactGroup& network_facts() {
    static const FactGroup group{{"networking"}, find_network};
    return group;
}

}  // namespace volley::agent
