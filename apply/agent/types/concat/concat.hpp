#pragma once

#include "apply/agent/catalog/resource.hpp"

namespace volley::agent {

/// Whether a concat_fragment is for a concat_file: by its path, its title or a tag.
bool belongs_to(const Resource& fragment, const Resource& file);

}  // namespace volley::agent
