#pragma once

#include <string_view>

#include "support/json/json.hpp"

namespace volley::inventory {

/// A target as a plugin's `target_mapping` wants it: the texts in `mapping` are paths ("a.b.0") into `data`,
/// at any depth of hashes. What a path does not lead to is left out. Numbers become text where they stand for
/// names.
Json apply_mapping(const Json& mapping, const Json& data);

/// The option `target_mapping` of a plugin whose targets need it. Throws Error bolt/validation-error unless
/// it says what is the name or the uri.
const Json& target_mapping(std::string_view plugin, const Json& options);

/// The target that `mapping` makes of `data`, as apply_mapping(), but throws Error when a path leads nowhere:
/// a target without the address that was asked for is of no use. `name` is what `data` is called in that
/// message.
Json map_target(const Json& mapping, const Json& data, std::string_view name);

}  // namespace volley::inventory
