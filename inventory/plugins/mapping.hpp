#pragma once

#include "support/json/json.hpp"

namespace volley::inventory {

/// A target as a plugin's `target_mapping` wants it: the texts in `mapping` are paths ("a.b.0") into `data`,
/// at any depth of hashes. What a path does not lead to is left out. Numbers become text where they stand for
/// names.
Json apply_mapping(const Json& mapping, const Json& data);

}  // namespace volley::inventory
