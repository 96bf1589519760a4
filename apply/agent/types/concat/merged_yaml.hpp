#pragma once

#include <string>
#include <vector>

namespace volley::agent {

/// Puts fragments that are YAML together, as puppetlabs-concat does, in the form in which Ruby writes YAML.
/// Where two have the same key with other values the earlier one counts with `force`, else that is an error.
/// Throws ApplyError, also for YAML of a kind that cannot be read or written as Ruby does.
std::string merged_yaml(const std::vector<std::string>& fragments, bool force);

}  // namespace volley::agent
