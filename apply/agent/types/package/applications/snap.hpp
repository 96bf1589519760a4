#pragma once

#include <map>
#include <string>
#include <string_view>

namespace volley::agent {

/// A line of `snap list`.
struct SnapEntry {
    std::string version, revision, tracking;  ///< tracking: the channel, "latest/stable"
    bool held = false;
};
/// By name; of `snap list` and `snap refresh --list` alike.
std::map<std::string, SnapEntry> parse_snap_list(std::string_view output);
/// Whether a text names a channel: "edge", "latest/stable", "22/candidate/fix".
bool is_snap_channel(std::string_view text);

}  // namespace volley::agent
