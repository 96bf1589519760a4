#pragma once

#include <map>
#include <set>
#include <string>

namespace volley::agent {

/// "NAME VERSION" lines of pacman -Q.
std::map<std::string, std::string> parse_pacman_packages(const std::string& output);
/// "GROUP PACKAGE" lines of pacman -Sgg.
std::map<std::string, std::set<std::string>> parse_pacman_groups(const std::string& output);
/// "a 1.0, b 2.0" for a group whose packages are all installed; empty for another one.
std::string pacman_group_version(const std::set<std::string>& group,
                                 const std::map<std::string, std::string>& installed);

}  // namespace volley::agent
