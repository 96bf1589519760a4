#pragma once

#include <map>
#include <string>
#include <string_view>

namespace volley::agent {

/// "NAME-VERSION-rRELEASE" lines of `apk info -v`.
std::map<std::string, std::string> parse_apk_list(std::string_view output);
/// Of `apk policy NAME`, the first version that a repository has; empty when none has it.
std::string parse_apk_policy(std::string_view output);

}  // namespace volley::agent
