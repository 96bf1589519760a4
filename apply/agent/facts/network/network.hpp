#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apply/agent/facts/host.hpp"
#include "support/json/json.hpp"

/// What the resolver of `networking` is made of.
namespace volley::agent {

/// An address of an interface. Without a netmask only a route names it.
struct Binding {
    std::string address, netmask, network;
    std::optional<std::vector<std::string>> flags;  ///< of IPv6, where the kernel says
};

struct Interface {
    std::string name, mac, dhcp;  ///< empty when there is none
    std::int64_t mtu = -1;        ///< -1 when unknown
    int index = 0;
    std::vector<Binding> bindings, bindings6;
};

/// The first of them with its addresses masked: {"192.0.2.7", "255.255.255.0", "192.0.2.0"}; of IPv6, too.
/// nullopt when either is not an address.
std::optional<Binding> binding_of(const std::string& address, const std::string& netmask);
/// What IPv6 calls the reach of an address: link, site, host or global, with "compat," before it for one that
/// holds an IPv4 address.
std::string scope_of(const std::string& address);
/// Whether an address is only of the machine or of the link, so that another one is shown when there is one.
bool is_local_address(const std::string& address);

/// The interfaces of the running machine, in the kernel's order, with addresses and mtu.
std::vector<Interface> interfaces_of_kernel();

/// A route that says from which address it sends.
struct Route {
    int interface = 0;
    std::string source;
    bool operator==(const Route& other) const = default;
};
/// The routes of the main tables of the running machine that have a source.
std::vector<Route> routes_of_kernel();
/// The same of the messages of one answer of the kernel (RTM_NEWROUTE).
std::vector<Route> routes_in(std::string_view messages);

/// The interface of the default route in /proc/net/route; empty when there is none.
std::string default_interface(std::string_view table);
/// Adds what /proc/net/if_inet6 says of IPv6 addresses.
void add_flags(std::vector<Interface>& interfaces, std::string_view if_inet6);
/// The permanent address of an interface that is part of a bond, of /proc/net/bonding/BOND; empty when it
/// does not say.
std::string permanent_address(std::string_view bond, std::string_view interface);
/// The server that leased the interface its address; empty when that is not known.
std::string dhcp_server(const FactHost& host, const Interface& interface);

/// `networking` without names. `primary` is empty when there is no default route.
Json networking_of(const std::vector<Interface>& interfaces, std::string primary);

/// hostname, domain and fqdn. `canonical`: the name that the name services have for the host's, empty when
/// they have none.
Json names_of(const std::string& node, const std::string& canonical, std::string_view resolv_conf);
/// The first name of the line of /etc/hosts that has this one; empty when none has it.
std::string canonical_in_hosts(std::string_view hosts, std::string_view name);
/// What the name services call the host: /etc/hosts, and getent where the machine asks others.
std::string canonical_name(const FactHost& host, const std::string& name);

}  // namespace volley::agent
