#pragma once

#include <map>
#include <string>
#include <vector>

namespace volley::agent {

/// A row of a table of zypper, its columns trimmed.
std::vector<std::vector<std::string>> parse_zypper_table(const std::string& output);

}  // namespace volley::agent
