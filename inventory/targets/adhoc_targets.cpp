#include "inventory/targets/adhoc_targets.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <vector>

#include "inventory/groups/validation_error.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace volley::inventory {
namespace {

/// No host name begins with one of these. In other programs' lists of hosts most of them take targets away.
constexpr std::string_view operators = "!^-&~+@%=$";

std::string_view host_part(std::string_view name) {
    if (const std::size_t scheme = name.find("://"); scheme != std::string_view::npos)
        name.remove_prefix(scheme + 3);
    name = name.substr(0, name.find_first_of("/?#"));
    if (const std::size_t at = name.rfind('@'); at != std::string_view::npos && at > 0)
        name.remove_prefix(at + 1);
    return name;
}

bool is_address(const std::string& host) {
    std::array<unsigned char, sizeof(in6_addr)> bytes{};
    return ::inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 ||
           ::inet_pton(AF_INET6, host.substr(0, host.find('%')).c_str(), bytes.data()) == 1;
}

/// What the inventory calls the thing that is most like `name`: "the group 'web'".
std::optional<std::string> closest_name(const GroupTree& tree, std::string_view name) {
    std::vector<std::string> names;
    for (const Group* group : tree.groups()) names.push_back(group->name);
    const std::size_t groups = names.size();
    for (const TargetId id : tree.members_of(tree.all())) {
        if (tree.record(id).from_source) names.push_back(tree.record(id).name);
    }
    for (const auto& [alias, id] : tree.aliases()) names.emplace_back(alias);
    std::optional<std::string> found = closest_match(name, names);
    if (!found) found = closest_match(lower(name), names);
    if (!found) return found;
    const auto at = static_cast<std::size_t>(std::find(names.begin(), names.end(), *found) - names.begin());
    return fmt::format("the {} '{}'", at < groups ? "group" : "target", *found);
}

/// A name with a domain, an address, a URI, or one with a user or a port.
bool looks_like_address(std::string_view name) {
    return name.find_first_of(".:@/") != std::string_view::npos;
}

bool has_targets(const GroupTree& tree) {
    const auto& all = tree.members_of(tree.all());
    return std::any_of(all.begin(), all.end(), [&tree](TargetId id) { return tree.record(id).from_source; });
}

}  // namespace

void refuse_operator(std::string_view name) {
    const std::string_view host = host_part(name);
    char first = 0;
    if (!name.empty() && operators.find(name.front()) != std::string_view::npos) first = name.front();
    if (!host.empty() && operators.find(host.front()) != std::string_view::npos) first = host.front();
    if (first == 0) return;
    throw_validation_error(
        fmt::format(
            "'{}' is not a target: no host name begins with '{}'. '!NAME' or '-NAME' leaves targets out, "
            "'&NAME' keeps those that are in both; 'volley inventory show -t ...' shows which targets a "
            "list stands for",
            name, first),
        {}, {});
}

void require_adhoc_allowed(const Inventory::State& state, std::string_view name, UnknownNames unknown) {
    if (name == "localhost" || state.config.adhoc_targets == true) return;
    if (state.config.adhoc_targets == false) {
        throw_validation_error(not_in_inventory(state, name) +
                                   " Only targets of the inventory may be used ('adhoc-targets: false')",
                               {}, {});
    }
    if (unknown == UnknownNames::Accept) return;
    if (unknown == UnknownNames::Refuse) throw_validation_error(not_in_inventory(state, name), {}, {});
    // Without targets in the inventory there is nothing that could be mistyped.
    if (looks_like_address(name) || !has_targets(state.tree)) return;
    throw_validation_error(
        not_in_inventory(state, name) +
            " If it is the name of a host, use --allow-adhoc, or its whole name or address",
        {}, {});
}

std::string not_in_inventory(const Inventory::State& state, std::string_view name) {
    const std::string file = std::filesystem::path(state.source).filename().string();
    const auto close = closest_name(state.tree, name);
    return fmt::format("'{}' is not in {}{}", name, file, close ? "; did you mean " + *close + "?" : ".");
}

std::optional<std::string> adhoc_hint(const Inventory::State& state, std::string_view name,
                                      std::string_view host) {
    const std::string text(host);
    if (host.empty() || host == "localhost" || is_address(text) || !has_targets(state.tree))
        return std::nullopt;
    if (name != host && !closest_name(state.tree, host)) return std::nullopt;
    return not_in_inventory(state, host);
}

}  // namespace volley::inventory
