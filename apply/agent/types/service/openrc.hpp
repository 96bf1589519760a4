#pragma once

#include <string_view>

namespace volley::agent {

/// Whether `rc-status -a` lists the service in a runlevel that is not a dynamic one.
bool is_in_openrc_runlevel(std::string_view output, std::string_view name);

}  // namespace volley::agent
