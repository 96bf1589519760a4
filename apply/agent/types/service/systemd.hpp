#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace volley::agent {

/// The names of the services that `systemctl list-unit-files` prints: lines of unit, state and preset.
std::vector<std::string> parse_unit_files(std::string_view output);

}  // namespace volley::agent
