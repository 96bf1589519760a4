#pragma once

#include <string>
#include <vector>

namespace volley::agent {

/// The names (comments) of the keys in a file of authorized keys; one without a name gets "FILE:unnamed-1"
/// and so on.
std::vector<std::string> key_names_in(const std::string& file);

}  // namespace volley::agent
