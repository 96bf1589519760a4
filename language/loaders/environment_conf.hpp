#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace volley {

/// The settings of an environment.conf ("modulepath = site:modules"), as they are written. Comments and the
/// names of sections are left out.
std::map<std::string, std::string> parse_environment_conf(std::string_view text);

}  // namespace volley
