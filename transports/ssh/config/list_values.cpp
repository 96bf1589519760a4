#include <algorithm>
#include <charconv>

#include "support/error.hpp"
#include "support/text.hpp"
#include "support/unicode/printable.hpp"
#include "transports/ssh/config/patterns.hpp"
#include "transports/ssh/config/ssh_config.hpp"
#include "transports/ssh/safe_names.hpp"

namespace volley::transports::ssh {
namespace {

[[noreturn]] void refuse_hop(std::string_view hop) {
    throw Error("bolt/ssh-config-error",
                "'" + printable(hop) + "' is not a jump host; write user@host:port, or ssh://user@host:port");
}

JumpHost parse_hop(std::string_view text) {
    static constexpr std::string_view scheme = "ssh://";
    std::string_view rest = trim(text);
    if (rest.substr(0, scheme.size()) == scheme) {
        rest.remove_prefix(scheme.size());
        if (!rest.empty() && rest.back() == '/') rest.remove_suffix(1);
    }
    JumpHost hop;
    if (const std::size_t at = rest.rfind('@'); at != std::string_view::npos) {
        hop.user = rest.substr(0, at);
        if (hop.user->empty()) refuse_hop(text);
        rest.remove_prefix(at + 1);
    }
    std::string_view port;
    if (!rest.empty() && rest.front() == '[') {
        const std::size_t end = rest.find(']');
        if (end == std::string_view::npos) refuse_hop(text);
        hop.host = rest.substr(1, end - 1);
        rest.remove_prefix(end + 1);
        if (!rest.empty() && rest.front() != ':') refuse_hop(text);
        port = rest.substr(rest.empty() ? 0 : 1);
        if (!rest.empty() && port.empty()) refuse_hop(text);
    } else {
        const std::size_t colon = rest.find(':');
        hop.host = rest.substr(0, colon);
        if (colon != std::string_view::npos) {
            port = rest.substr(colon + 1);
            if (port.empty()) refuse_hop(text);
        }
    }
    // The fallback hands hops to an ssh program, and ssh_config's commands may name them.
    if (hop.host.empty() || !is_safe_host(hop.host) || (hop.user && !is_safe_user(*hop.user)))
        refuse_hop(text);
    if (!port.empty()) {
        int number = 0;
        const auto [end, code] = std::from_chars(port.data(), port.data() + port.size(), number);
        if (code != std::errc() || end != port.data() + port.size() || number < 1 || number > 65535)
            refuse_hop(text);
        hop.port = number;
    }
    return hop;
}

bool is_in(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

void add_new(std::vector<std::string>& to, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        if (!name.empty() && !is_in(to, name)) to.push_back(name);
    }
}

}  // namespace

std::vector<JumpHost> parse_proxy_jump(std::string_view text) {
    std::vector<JumpHost> hops;
    if (lower(trim(text)) == "none") return hops;
    for (const std::string& hop : split(text, ',')) hops.push_back(parse_hop(hop));
    return hops;
}

std::vector<std::string> apply_algorithm_list(std::string_view list,
                                              const std::vector<std::string>& defaults) {
    const char change = list.empty() ? '\0' : list.front();
    const bool changes = change == '+' || change == '-' || change == '^';
    const std::vector<std::string> named = split(changes ? list.substr(1) : list, ',');
    std::vector<std::string> result;
    if (change == '-') {
        const std::string pattern(list.substr(1));
        for (const std::string& name : defaults) {
            if (match_pattern_list(name, pattern) != ListMatch::Yes) result.push_back(name);
        }
        return result;
    }
    if (change == '+') result = defaults;
    add_new(result, named);
    if (change == '^') add_new(result, defaults);
    return result;
}

}  // namespace volley::transports::ssh
