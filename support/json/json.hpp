#pragma once

#include <nlohmann/json_fwd.hpp>

#include "support/json/json_map.hpp"

namespace volley {

/// JSON data. Objects keep the order in which keys were added, because results, inventories and
/// metadata are shown to users in that order. Text becomes Json through support/json/json_reader.hpp, which
/// has limits.
using Json = nlohmann::basic_json<JsonMap>;

}  // namespace volley
