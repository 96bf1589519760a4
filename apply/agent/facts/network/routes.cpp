#include <arpa/inet.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "apply/agent/facts/network/network.hpp"
#include "support/text.hpp"
#include "support/unique_fd.hpp"

namespace volley::agent {
namespace {

/// A structure at the beginning of bytes; false when they are too few.
template <class Structure>
bool take_structure(std::string_view bytes, Structure& structure) {
    if (bytes.size() < sizeof structure) return false;
    std::memcpy(&structure, bytes.data(), sizeof structure);
    return true;
}

constexpr std::size_t aligned(std::size_t length) { return (length + 3) & ~std::size_t{3}; }

/// One route; without a source or an interface it is of no interest.
Route route_of(int family, std::string_view attributes) {
    Route route;
    rtattr attribute{};
    while (take_structure(attributes, attribute)) {
        const std::size_t length = attribute.rta_len;
        if (length < sizeof attribute || length > attributes.size()) break;
        const std::string_view value = attributes.substr(sizeof attribute, length - sizeof attribute);
        std::array<char, INET6_ADDRSTRLEN> text{};
        if (attribute.rta_type == RTA_PREFSRC && value.size() == (family == AF_INET ? 4U : 16U)) {
            ::inet_ntop(family, value.data(), text.data(), text.size());
            route.source = text.data();
        }
        if (attribute.rta_type == RTA_OIF) take_structure(value, route.interface);
        attributes.remove_prefix(std::min(attributes.size(), aligned(length)));
    }
    return route;
}

bool ask_for_routes(int fd, unsigned char family) {
    struct {
        nlmsghdr header;
        rtmsg route;
    } request{};
    request.header.nlmsg_len = sizeof request;
    request.header.nlmsg_type = RTM_GETROUTE;
    request.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
    request.route.rtm_family = family;
    return ::send(fd, &request, sizeof request, 0) == static_cast<ssize_t>(sizeof request);
}

/// True when the kernel has said everything.
bool is_last(std::string_view messages) {
    nlmsghdr header{};
    while (take_structure(messages, header) && header.nlmsg_len >= sizeof header) {
        if (header.nlmsg_type == NLMSG_DONE || header.nlmsg_type == NLMSG_ERROR) return true;
        messages.remove_prefix(std::min(messages.size(), aligned(header.nlmsg_len)));
    }
    return false;
}

}  // namespace

std::vector<Route> routes_in(std::string_view messages) {
    std::vector<Route> routes;
    nlmsghdr header{};
    while (take_structure(messages, header)) {
        const std::size_t length = header.nlmsg_len;
        if (length < sizeof header || length > messages.size()) break;
        rtmsg route{};
        const std::string_view body = messages.substr(sizeof header, length - sizeof header);
        messages.remove_prefix(std::min(messages.size(), aligned(length)));
        if (header.nlmsg_type != RTM_NEWROUTE || !take_structure(body, route)) continue;
        const bool shown =
            route.rtm_table == RT_TABLE_MAIN && (route.rtm_flags & (RTM_F_CLONED | RTNH_F_LINKDOWN)) == 0;
        if (!shown || (route.rtm_family != AF_INET && route.rtm_family != AF_INET6)) continue;
        Route found = route_of(route.rtm_family, body.substr(std::min(body.size(), aligned(sizeof route))));
        const bool known = std::find(routes.begin(), routes.end(), found) != routes.end();
        if (found.interface != 0 && !found.source.empty() && !known) routes.push_back(std::move(found));
    }
    return routes;
}

std::vector<Route> routes_of_kernel() {
    constexpr std::size_t most_routes = 1000;  // a router of the internet's core is not asked for all of them
    std::vector<Route> routes;
    for (const std::uint8_t family : {std::uint8_t{AF_INET}, std::uint8_t{AF_INET6}}) {
        const UniqueFd fd(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE));
        if (!fd) return routes;
        const timeval patience{2, 0};
        ::setsockopt(fd.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        if (!ask_for_routes(fd.get(), family)) continue;
        for (bool more = true; more && routes.size() < most_routes;) {
            std::array<char, 65536> buffer;
            const ssize_t length = ::recv(fd.get(), buffer.data(), buffer.size(), 0);
            if (length < 0 && errno == EINTR) continue;
            if (length <= 0) break;
            const std::string_view messages(buffer.data(), static_cast<std::size_t>(length));
            for (Route& route : routes_in(messages)) {
                if (std::find(routes.begin(), routes.end(), route) == routes.end())
                    routes.push_back(std::move(route));
            }
            more = !is_last(messages);
        }
    }
    return routes;
}

std::string default_interface(std::string_view table) {
    const std::vector<std::string> lines = split(table, '\n');
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const std::vector<std::string> fields = split(trim(lines[i]), '\t');
        if (fields.size() > 7 && fields[1] == "00000000" && fields[7] == "00000000" && fields[0] != "*")
            return std::string(trim(fields[0]));
    }
    return {};
}

}  // namespace volley::agent
