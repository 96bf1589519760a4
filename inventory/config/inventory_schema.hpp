#pragma once

#include "inventory/config/schema.hpp"

namespace volley::inventory {

/// inventory.yaml, version 2 (INV-002, INV-005, INV-006).
const Schema& inventory_schema();

}  // namespace volley::inventory
