#include "apply/agent/facts/network/network.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

/// What follows a mark up to the end of the line; empty when the mark is not there.
std::string rest_of_line(std::string_view text, std::string_view mark) {
    const std::size_t at = text.find(mark);
    if (at == std::string_view::npos) return {};
    const std::size_t start = at + mark.size();
    return std::string(trim(text.substr(start, text.find('\n', start) - start)));
}

std::string server_of_dhclient(const FactHost& host, const std::string& interface) {
    for (const std::string folder : {"/var/lib/dhclient/", "/var/lib/dhcp/", "/var/lib/dhcp3/",
                                     "/var/lib/NetworkManager/", "/var/db/"}) {
        for (const std::string& name : host.names(folder)) {
            const std::size_t at = name.find("dhclient");
            if (at == std::string::npos || name.find(".lease", at) == std::string::npos) continue;
            const std::string text = host.read(folder + name).value_or("");
            bool of_interface = false;
            for (const std::string& line : split(text, '\n')) {
                const std::size_t word = line.find("interface");
                of_interface = of_interface || (word != std::string::npos &&
                                                line.find(interface, word + 9) != std::string::npos);
            }
            std::string server = of_interface ? rest_of_line(text, "dhcp-server-identifier ") : std::string();
            server = server.substr(0, server.find_first_not_of("0123456789."));
            if (!server.empty()) return server;
        }
    }
    return {};
}

std::string server_of_network_manager(const FactHost& host, const std::string& interface) {
    const std::string folder = "/var/lib/NetworkManager";
    for (const std::string& name : host.names(folder)) {
        if (name.find("internal") != std::string::npos && name.ends_with(interface + ".lease"))
            return rest_of_line(host.read(folder + "/" + name).value_or(""), "SERVER_ADDRESS=");
    }
    return {};
}

std::string server_of_dhcpcd(const FactHost& host, const std::string& interface) {
    constexpr std::string_view mark = "dhcp_server_identifier=";
    std::string server = rest_of_line(host.output_of({"dhcpcd", "-U", interface}, 5).value_or(""), mark);
    std::erase(server, '\'');
    return server;
}

}  // namespace

std::string dhcp_server(const FactHost& host, const Interface& interface) {
    if (interface.index > 0) {
        const auto lease = host.read("/run/systemd/netif/leases/" + std::to_string(interface.index));
        if (lease && lease->find("SERVER_ADDRESS=") != std::string::npos)
            return rest_of_line(*lease, "SERVER_ADDRESS=");
    }
    for (auto* ask : {server_of_dhclient, server_of_network_manager, server_of_dhcpcd}) {
        std::string server = ask(host, interface.name);
        if (!server.empty()) return server;
    }
    return {};
}

}  // namespace volley::agent
