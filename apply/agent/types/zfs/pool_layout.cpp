#include "apply/agent/types/zfs/pool_layout.hpp"

#include <algorithm>

#include "apply/agent/text/pattern.hpp"
#include "apply/agent/types/tables/table_text.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

/// The kind of group that a line of the table begins; empty for a device.
std::string_view group_kind(std::string_view word) {
    if (word == "spares") return "spare";
    if (word == "logs") return "log";
    if (word == "cache") return "cache";
    if (word.starts_with("mirror")) return "mirror";
    return word.starts_with("raidz1") || word.starts_with("raidz2") ? "raidz" : "";
}

}  // namespace

PoolLayout parse_pool_status(std::string_view status,
                             const std::function<std::string(const std::string&)>& whole_disk) {
    std::vector<std::string> words;
    for (const std::string& line : split(status, '\n')) {
        const auto parts = line.starts_with('\t') ? blank_words(line) : std::vector<std::string>{};
        if (!parts.empty()) words.push_back(parts[0]);
    }
    PoolLayout layout;
    if (words.size() < 2) return layout;
    words.erase(words.begin(), words.begin() + 2);  // the heads of the columns, and the pool itself
    // A device whose partition a pool has is given as the whole disk when the pool is made.
    static const Pattern partition(R"(/dev/(:?[a-z]+([0-9]+n[0-9]+p)?1|disk/by-id/.+-part1)$)");
    std::vector<std::string> group;
    const auto close = [&](std::string_view kind) {
        std::reverse(group.begin(), group.end());
        auto& groups = layout[std::string(kind)];
        groups.insert(groups.begin(), join(group, " "));
        group.clear();
    };
    for (std::size_t i = words.size(); i-- > 0;) {
        const std::string& word = words[i];
        if (const std::string_view kind = group_kind(word); !kind.empty()) {
            close(kind);
            continue;
        }
        group.push_back(partition.matches(word) ? whole_disk(word) : word);
        if (i == 0) close("disk");
    }
    return layout;
}

}  // namespace volley::agent
