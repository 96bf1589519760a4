#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <nlohmann/json.hpp>

#include "apply/agent/facts/network/network.hpp"
#include "facts_root.hpp"

using namespace volley;
using namespace volley::agent;

TEST_CASE("addresses have networks and scopes", "[agent][facts]") {
    struct Row {
        const char *address, *mask, *network, *scope;
        bool local;
    };
    static constexpr Row rows[] = {{"192.0.2.77", "255.255.255.192", "192.0.2.64", "global", false},
                                   {"127.0.0.1", "255.0.0.0", "127.0.0.0", "global", true},
                                   {"169.254.3.4", "255.255.0.0", "169.254.0.0", "global", true},
                                   {"2001:db8::1", "ffff:ffff:ffff:ffff::", "2001:db8::", "global", false},
                                   {"fd00::2", "ffff:ffff:ffff:ffff::", "fd00::", "global", true},
                                   {"fe80::1", "ffff:ffff:ffff:ffff::", "fe80::", "link", true},
                                   {"fec0::1", "ffff:ffff:ffff:ffff::", "fec0::", "site", false},
                                   {"::1", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "::1", "host", true}};
    for (const Row& row : rows) {
        INFO(row.address);
        const auto binding = binding_of(row.address, row.mask);
        REQUIRE(binding);
        CHECK(binding->network == row.network);
        CHECK(scope_of(row.address) == row.scope);
        CHECK(is_local_address(row.address) == row.local);
    }
    CHECK_FALSE(binding_of("192.0.2.1", "ffff::"));
    CHECK_FALSE(binding_of("x", "255.0.0.0"));
}

TEST_CASE("the address of the machine is that of its primary interface", "[agent][facts]") {
    Interface lo{"lo", "", "", 65536, 1, {*binding_of("127.0.0.1", "255.0.0.0")}, {}};
    Interface eth{"eth0", "02:fc:00:00:00:01", "192.0.2.1", 1400, 2, {}, {}};
    eth.bindings = {*binding_of("169.254.0.9", "255.255.0.0"), *binding_of("192.0.2.2", "255.255.255.0")};
    eth.bindings6 = {*binding_of("fe80::2", "ffff:ffff:ffff:ffff::")};
    std::vector<Interface> all{lo, eth};
    add_flags(all, "fe800000000000000000000000000002 02 40 20 82     eth0\nshort line\n");
    for (const char* route : {"", "eth0"}) {
        const Json found = networking_of(all, route);
        CHECK(found["primary"] == "eth0");
        CHECK(found["ip"] == "192.0.2.2");
        CHECK(found["network"] == "192.0.2.0");
        CHECK(found["ip6"] == "fe80::2");
        CHECK(found["scope6"] == "link");
        CHECK(found["mtu"] == 1400);
        CHECK(found["dhcp"] == "192.0.2.1");
        CHECK_FALSE(found.contains("bindings"));
        CHECK(found["interfaces"]["eth0"]["bindings6"][0]["flags"].dump() == R"(["noad","permanent"])");
        CHECK(found["interfaces"]["lo"]["ip"] == "127.0.0.1");
        CHECK_FALSE(found["interfaces"]["lo"].contains("mac"));
    }
    CHECK_FALSE(networking_of({lo}, "").contains("primary"));
    CHECK(networking_of({}, "gone")["primary"] == "gone");
}

TEST_CASE("the default route names an interface", "[agent][facts]") {
    const std::string head =
        "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n";
    CHECK(default_interface(head + "eth1\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n"
                                   "eth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n") == "eth0");
    CHECK(default_interface(head + "*\t00000000\t00000000\t0201\t0\t0\t0\t00000000\t0\t0\t0\n").empty());
    CHECK(default_interface("").empty());
}

namespace {

template <class Structure>
std::string bytes_of(const Structure& structure) {
    std::string bytes(sizeof structure, '\0');
    std::memcpy(bytes.data(), &structure, sizeof structure);
    return bytes;
}

std::string attribute(unsigned short type, const std::string& value) {
    rtattr head{};
    head.rta_len = static_cast<unsigned short>(sizeof head + value.size());
    head.rta_type = type;
    return bytes_of(head) + value;
}

std::string route_message(unsigned char table, const std::string& attributes) {
    rtmsg route{};
    route.rtm_family = AF_INET;
    route.rtm_table = table;
    nlmsghdr head{};
    head.nlmsg_type = RTM_NEWROUTE;
    head.nlmsg_len = static_cast<std::uint32_t>(sizeof head + sizeof route + attributes.size());
    return bytes_of(head) + bytes_of(route) + attributes;
}

}  // namespace

TEST_CASE("routes with a source are found in what the kernel sends", "[agent][facts]") {
    const std::string source =
        attribute(RTA_PREFSRC, std::string("\xc0\x00\x02\x07", 4)) + attribute(RTA_OIF, bytes_of(3));
    const std::string message = route_message(RT_TABLE_MAIN, source);
    const auto found = routes_in(message + message + route_message(RT_TABLE_LOCAL, source) +
                                 route_message(RT_TABLE_MAIN, attribute(RTA_OIF, bytes_of(3))));
    REQUIRE(found.size() == 1);
    CHECK(found[0].interface == 3);
    CHECK(found[0].source == "192.0.2.7");
    // Whatever is cut off or lies about its length is passed over.
    for (std::size_t length = 0; length < message.size(); ++length)
        CHECK(routes_in(message.substr(0, length)).empty());
    std::string lying = message;
    lying[sizeof(nlmsghdr) + sizeof(rtmsg)] = '\x01';
    CHECK(routes_in(lying).empty());
}

TEST_CASE("names are those of the host and its resolver", "[agent][facts]") {
    struct Row {
        const char *node, *canonical, *resolver, *want;
    };
    static constexpr Row rows[] = {
        {"web", "", "", R"({"hostname":"web","fqdn":"web"})"},
        {"web", "web", "search example.com\n",
         R"({"hostname":"web","fqdn":"web.example.com","domain":"example.com"})"},
        {"web", "web.example.org", "search example.com\n",
         R"({"hostname":"web","fqdn":"web.example.org","domain":"example.org"})"},
        {"web.example.net", "", "search example.com\n",
         R"({"hostname":"web","fqdn":"web.example.net","domain":"example.net"})"},
        {"web", "localhost", "domain a.b\nsearch c.d\n",
         R"({"hostname":"web","fqdn":"localhost","domain":"a.b"})"},
        {"web", "", "# search no\nsearch\tx.y z\n", R"({"hostname":"web","fqdn":"web.x.y","domain":"x.y"})"},
        {"", "", "", "{}"}};
    for (const Row& row : rows) CHECK(names_of(row.node, row.canonical, row.resolver).dump() == row.want);
    const char* hosts = "127.0.0.1 localhost\n# 192.0.2.9 web\n192.0.2.1\tWEB.example.com web # mine\n";
    CHECK(canonical_in_hosts(hosts, "web") == "WEB.example.com");
    CHECK(canonical_in_hosts(hosts, "Web.Example.Com") == "WEB.example.com");
    CHECK(canonical_in_hosts(hosts, "mine").empty());
    const FactsRoot root{{"/etc/hosts", hosts}, {"/etc/nsswitch.conf", "hosts:\tfiles dns # x\n"}};
    CHECK(canonical_name(root.host(), "web") == "WEB.example.com");
    CHECK(canonical_name(root.host(), "other").empty());
}

TEST_CASE("leases name the server", "[agent][facts]") {
    const Interface eth{"eth0", "", "", 1500, 2, {}, {}};
    const FactsRoot networkd{
        {"/run/systemd/netif/leases/2", "ADDRESS=192.0.2.7\nSERVER_ADDRESS=192.0.2.1\n"}};
    CHECK(dhcp_server(networkd.host(), eth) == "192.0.2.1");
    const FactsRoot client{
        {"/var/lib/dhcp/dhclient.eth0.leases",
         "lease {\n  interface \"eth0\";\n  option dhcp-server-identifier 192.0.2.3;\n}\n"}};
    CHECK(dhcp_server(client.host(), eth) == "192.0.2.3");
    const FactsRoot manager{
        {"/var/lib/NetworkManager/internal-4711-eth0.lease", "SERVER_ADDRESS=192.0.2.5\n"}};
    CHECK(dhcp_server(manager.host(), eth) == "192.0.2.5");
    CHECK(dhcp_server(FactsRoot{}.host(), eth).empty());
    CHECK(permanent_address("Slave Interface: eth1\nPermanent HW addr: 02:00:00:00:00:01\n"
                            "Slave Interface: eth0\nPermanent HW addr: 02:00:00:00:00:02\n",
                            "eth0") == "02:00:00:00:00:02");
}
