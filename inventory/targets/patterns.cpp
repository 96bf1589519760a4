#include "inventory/targets/patterns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "inventory/targets/uri.hpp"
#include "support/error.hpp"
#include "support/wildcard.hpp"

namespace volley::inventory {

bool is_bracketed_address(std::string_view text) {
    const std::size_t open = text.find('[');
    if (open == std::string_view::npos || text.find(':', open) == std::string_view::npos) return false;
    try {
        return !parse_uri(text).host.empty();
    } catch (const Error&) {
        return false;
    }
}

bool has_scheme(std::string_view text) {
    try {
        return parse_uri(text).scheme.has_value();
    } catch (const Error&) {
        return false;
    }
}

std::vector<TargetId> matching(const GroupTree& tree, std::string_view pattern, TargetSyntax syntax) {
    std::vector<std::string> patterns{std::string(pattern)};
    if (syntax == TargetSyntax::CommandLine) {
        auto alternatives = wildcard_alternatives(pattern);
        if (!alternatives)
            throw Error("bolt.inventory/wildcard-error",
                        fmt::format("The wildcard pattern has more than {} alternatives",
                                    most_wildcard_alternatives));
        patterns = *std::move(alternatives);
    }
    const auto matches = [&patterns](std::string_view name) {
        return std::ranges::any_of(patterns, [name](const std::string& one) {
            return wildcard_match(one, name, {.any_case = true});
        });
    };
    std::vector<TargetId> found;
    for (const Group* group : tree.groups()) {
        if (!matches(group->name)) continue;
        const auto& members = tree.members_of(*group);
        found.insert(found.end(), members.begin(), members.end());
    }
    for (const TargetId id : tree.members_of(tree.all())) {
        if (matches(tree.record(id).name)) found.push_back(id);
    }
    std::vector<TargetId> by_alias;
    for (const auto& [alias, id] : tree.aliases()) {
        if (matches(alias)) by_alias.push_back(id);
    }
    std::ranges::sort(by_alias);  // a hash table has no order, ids have the source's
    found.insert(found.end(), by_alias.begin(), by_alias.end());
    return found;
}

}  // namespace volley::inventory
