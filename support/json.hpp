#pragma once

#include <nlohmann/json_fwd.hpp>

namespace volley {

/// JSON data. Objects keep the order in which keys were added, because results, inventories and
/// metadata are shown to users in that order.
using Json = nlohmann::ordered_json;

}  // namespace volley
