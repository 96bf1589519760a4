#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "inventory/inventory.hpp"

namespace volley::cli {

/// How people call a target: without the password that its URI may hold.
using DisplayNames = std::function<std::string(std::string_view)>;

/// Asks the inventory, for targets that appear while a plan runs. `inventory` must outlive it.
DisplayNames safe_display_names(inventory::Inventory& inventory);

}  // namespace volley::cli
