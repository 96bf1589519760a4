#include <arpa/inet.h>
#include <ifaddrs.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <memory>

#include "apply/agent/facts/network/network.hpp"
#include "support/unique_fd.hpp"

namespace volley::agent {
namespace {

std::string numeric(const sockaddr& address) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    if (address.sa_family == AF_INET) {
        sockaddr_in four{};
        std::memcpy(&four, &address, sizeof four);
        ::inet_ntop(AF_INET, &four.sin_addr, text.data(), text.size());
    } else if (address.sa_family == AF_INET6) {
        sockaddr_in6 six{};
        std::memcpy(&six, &address, sizeof six);
        ::inet_ntop(AF_INET6, &six.sin6_addr, text.data(), text.size());
    }
    return text.data();
}

/// "02:fc:00:00:00:01"; empty when it is too short for an address, or only zeros.
std::string hardware_address(const sockaddr_ll& link, const unsigned char* bytes) {
    constexpr std::size_t shortest = 6, longest = 20;
    if (link.sll_halen < shortest || link.sll_halen > longest) return {};
    std::string text;
    bool zeros = link.sll_halen == shortest;
    for (std::size_t i = 0; i < link.sll_halen; ++i) {
        std::array<char, 8> pair{};
        std::snprintf(pair.data(), pair.size(), i == 0 ? "%02x" : ":%02x", static_cast<unsigned>(bytes[i]));
        text += pair.data();
        zeros = zeros && bytes[i] == 0;
    }
    return zeros ? std::string() : text;
}

std::int64_t mtu_of(const std::string& name) {
    const UniqueFd fd(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    const UniqueFd other(fd ? -1 : ::socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    ifreq request{};
    if (name.size() >= sizeof request.ifr_name) return -1;
    std::memcpy(request.ifr_name, name.data(), name.size());
    return ::ioctl(fd ? fd.get() : other.get(), SIOCGIFMTU, &request) == 0 ? request.ifr_mtu : -1;
}

struct FreeAddresses {
    void operator()(ifaddrs* list) const { ::freeifaddrs(list); }
};

void take_link(Interface& interface, const sockaddr& address) {
    sockaddr_ll link{};
    std::memcpy(&link, &address, sizeof link);
    // getifaddrs reserves more for addresses that are longer than the field.
    const auto* bytes = reinterpret_cast<const unsigned char*>(&address) + offsetof(sockaddr_ll, sll_addr);
    interface.index = link.sll_ifindex;
    interface.mac = hardware_address(link, bytes);
    interface.mtu = mtu_of(interface.name);
}

}  // namespace

std::vector<Interface> interfaces_of_kernel() {
    ifaddrs* raw = nullptr;
    if (::getifaddrs(&raw) != 0) return {};
    const std::unique_ptr<ifaddrs, FreeAddresses> list(raw);
    std::vector<Interface> found;
    for (const ifaddrs* entry = list.get(); entry != nullptr; entry = entry->ifa_next) {
        const std::string name = entry->ifa_name;
        auto at =
            std::find_if(found.begin(), found.end(), [&](const Interface& one) { return one.name == name; });
        if (at == found.end()) {
            found.emplace_back();
            found.back().name = name;
            at = found.end() - 1;
        }
        if (entry->ifa_addr == nullptr) continue;
        const int family = entry->ifa_addr->sa_family;
        if (family == AF_PACKET) take_link(*at, *entry->ifa_addr);
        if ((family != AF_INET && family != AF_INET6) || entry->ifa_netmask == nullptr) continue;
        auto binding = binding_of(numeric(*entry->ifa_addr), numeric(*entry->ifa_netmask));
        if (binding) (family == AF_INET ? at->bindings : at->bindings6).push_back(std::move(*binding));
    }
    return found;
}

}  // namespace volley::agent
