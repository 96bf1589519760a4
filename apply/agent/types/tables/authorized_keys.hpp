#pragma once

#include <memory>
#include <string>
#include <vector>

namespace volley::agent {

struct Resource;

/// The keys in a file of authorized keys, each by its name (its comment); one without a name gets
/// "FILE:unnamed-1" and so on.
std::vector<std::unique_ptr<Resource>> keys_found_in(const std::string& file);

}  // namespace volley::agent
