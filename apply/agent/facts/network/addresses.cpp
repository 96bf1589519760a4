#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "apply/agent/facts/network/network.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

/// The bytes of an address, 4 or 16; none when it is not one.
std::vector<unsigned char> address_bytes(const std::string& text) {
    std::vector<unsigned char> bytes(16);
    if (::inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1) return bytes;
    bytes.resize(4);
    if (::inet_pton(AF_INET, text.c_str(), bytes.data()) == 1) return bytes;
    return {};
}

}  // namespace

std::optional<Binding> binding_of(const std::string& address, const std::string& netmask) {
    std::vector<unsigned char> bytes = address_bytes(address);
    const std::vector<unsigned char> mask = address_bytes(netmask);
    if (bytes.empty() || bytes.size() != mask.size()) return std::nullopt;
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] &= mask[i];
    std::array<char, INET6_ADDRSTRLEN> text{};
    ::inet_ntop(bytes.size() == 4 ? AF_INET : AF_INET6, bytes.data(), text.data(), text.size());
    return Binding{address, netmask, text.data(), std::nullopt};
}

std::string scope_of(const std::string& address) {
    const std::vector<unsigned char> bytes = address_bytes(address);
    if (bytes.size() != 16) return "global";
    in6_addr six{};
    std::memcpy(&six, bytes.data(), bytes.size());
    const std::string compat = IN6_IS_ADDR_V4COMPAT(&six) ? "compat," : "";
    if (IN6_IS_ADDR_LINKLOCAL(&six)) return compat + "link";
    if (IN6_IS_ADDR_SITELOCAL(&six)) return compat + "site";
    return compat + (IN6_IS_ADDR_LOOPBACK(&six) ? "host" : "global");
}

bool is_local_address(const std::string& address) {
    const std::vector<unsigned char> bytes = address_bytes(address);
    if (bytes.size() == 4) return bytes[0] == 127 || (bytes[0] == 169 && bytes[1] == 254);
    if (bytes.size() != 16) return true;
    const bool link = bytes[0] == 0xfe && (bytes[1] & 0xc0U) == 0x80;
    const bool unique = (bytes[0] & 0xfeU) == 0xfc;
    return link || unique || scope_of(address) == "host";
}

void add_flags(std::vector<Interface>& interfaces, std::string_view if_inet6) {
    // linux/if_addr.h, in Facter's order.
    static constexpr std::array<const char*, 8> names = {"temporary", "noad",        "optimistic",
                                                         "dadfailed", "homeaddress", "deprecated",
                                                         "tentative", "permanent"};
    for (const std::string& line : split(if_inet6, '\n')) {
        std::vector<std::string> fields;
        for (std::string& field : split(line, ' ')) {
            if (!field.empty()) fields.push_back(std::move(field));
        }
        if (fields.size() != 6 || fields[0].size() != 32) continue;
        std::string address;
        for (std::size_t i = 0; i < 32; i += 4) address += (i == 0 ? "" : ":") + fields[0].substr(i, 4);
        const std::vector<unsigned char> bytes = address_bytes(address);
        const unsigned long set = std::strtoul(fields[4].c_str(), nullptr, 16);
        std::vector<std::string> flags;
        for (std::size_t bit = 0; bit < names.size(); ++bit) {
            if ((set >> bit & 1U) != 0) flags.emplace_back(names.at(bit));
        }
        for (Interface& interface : interfaces) {
            if (interface.name != fields[5]) continue;
            for (Binding& binding : interface.bindings6) {
                if (address_bytes(binding.address) == bytes) binding.flags = flags;
            }
        }
    }
}

}  // namespace volley::agent
