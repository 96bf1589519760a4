#pragma once

#include <string>
#include <vector>

namespace volley::agent {

/// Puts fragments that are JSON together, as puppetlabs-concat does: `format` is json, json-pretty (maps and
/// lists are merged), json-array or json-array-pretty (a list of all). Where two have the same key with
/// other values the earlier one counts with `force`, else that is an error. Throws ApplyError.
std::string merged_json(const std::vector<std::string>& fragments, const std::string& format, bool force);

}  // namespace volley::agent
