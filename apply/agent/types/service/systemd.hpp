#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace volley::agent {

/// The names of the services that `systemctl list-unit-files` prints: lines of unit, state and preset.
std::vector<std::string> parse_unit_files(std::string_view output);

/// The units that `systemctl list-units --all --plain --no-legend` prints, each with its active state: lines
/// of unit, load state, active state, sub state and description.
std::vector<std::pair<std::string, std::string>> parse_units(std::string_view output);

}  // namespace volley::agent
