#pragma once

#include <map>
#include <string>
#include <string_view>

namespace volley::agent {

/// Versions by name, of `npm list --json`; nothing for what is not JSON.
std::map<std::string, std::string> parse_npm_list(std::string_view output);

}  // namespace volley::agent
