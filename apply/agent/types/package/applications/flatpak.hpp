#pragma once

#include <map>
#include <string>
#include <string_view>

namespace volley::agent {

/// By application, of lines "APPLICATION\tVERSION\tCOMMIT": the version, or the commit where there is none.
std::map<std::string, std::string> parse_flatpak_list(std::string_view output);

}  // namespace volley::agent
