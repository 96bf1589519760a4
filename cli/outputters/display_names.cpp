#include "cli/outputters/display_names.hpp"

namespace volley::cli {

DisplayNames safe_display_names(inventory::Inventory& inventory) {
    return [&inventory](std::string_view name) {
        // Only a name with a URI's parts can hold a password.
        if (name.find('@') == std::string_view::npos && name.find("//") == std::string_view::npos) {
            return std::string(name);
        }
        return inventory.target(std::string(name)).safe_name();
    };
}

}  // namespace volley::cli
