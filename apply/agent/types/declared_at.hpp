#pragma once

#include <string>

#include "apply/agent/catalog/resource.hpp"

namespace volley::agent {

/// " (file: site.pp, line: 3)": where the resource stands, for messages; empty when that is not known.
inline std::string declared_at(const Resource& resource) {
    if (resource.file.empty()) return {};
    return " (file: " + resource.file +
           (resource.line > 0 ? ", line: " + std::to_string(resource.line) : "") + ")";
}

}  // namespace volley::agent
